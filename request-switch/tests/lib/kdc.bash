# SPDX-License-Identifier: Apache-2.0
# Stock KDCs of one realm on the servers, for the end-to-end tests and the benchmark of logins.
#
#   kdc_database DIRECTORY           makes the realm: user, and the service host/node
#   start_kdc N DIRECTORY            starts a KDC on server N; its process is $started
#   krb5_conf FILE [LINE...]         a client's krb5.conf, with these lines in the realm's section

kdc_database() {
    local directory=$1
    mkdir -p "$directory"
    cat >"$directory/kdc.conf" <<END
[kdcdefaults]
    kdc_ports = 88
    kdc_tcp_ports = 88
[realms]
    EXAMPLE = {
        database_name = $directory/principal
        key_stash_file = $directory/stash
        acl_file = $directory/acl
        supported_enctypes = aes256-cts-hmac-sha1-96:normal
    }
END
    : >"$directory/acl"
    krb5_conf "$directory/krb5.conf"
    (
        export KRB5_KDC_PROFILE=$directory/kdc.conf KRB5_CONFIG=$directory/krb5.conf
        kdb5_util create -r EXAMPLE -s -P master
        kadmin.local -r EXAMPLE -q 'addprinc -pw secret user'
        kadmin.local -r EXAMPLE -q 'addprinc -randkey host/node'
        kadmin.local -r EXAMPLE -q "ktadd -norandkey -k $directory/keytab user"
    ) &>"$directory/log"
}

krb5_conf() {
    {
        printf '[libdefaults]\n    default_realm = EXAMPLE\n    dns_lookup_kdc = false\n    dns_lookup_realm = false\n'
        printf '    dns_canonicalize_hostname = false\n    rdns = false\n    udp_preference_limit = 1465\n'
        printf '%s' "${krb5_defaults:-}"
        printf '[realms]\n    EXAMPLE = {\n'
        printf '        %s\n' "${@:2}"
        printf '    }\n'
    } >"$1"
}

start_kdc() {
    local number=$1 directory=$2
    KRB5_KDC_PROFILE=$directory/kdc.conf KRB5_CONFIG=$directory/krb5.conf \
        start_on "s$number" "$directory/kdc.$number" krb5kdc -n -r EXAMPLE -P "$directory/kdc.$number.pid"
}

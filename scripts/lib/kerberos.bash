# SPDX-License-Identifier: Apache-2.0
# A Kerberos realm for scripts/cluster --secure: MIT's KDC on h0, and a certificate for what is encrypted by TLS. Source
# cluster.bash first.

# shellcheck disable=SC2154 # cluster, hosts, container_user, job_users are the sourcing script's
readonly realm=CLONE.HADOOP

# Prints what is missing for a secure cluster, or nothing.
why_not_secure() {
    type -P krb5kdc kdb5_util kadmin.local kinit keytool >/dev/null \
        || echo "no Kerberos here: install krb5-kdc, krb5-admin-server and krb5-user"
    [[ -e /etc/krb5.conf ]] || echo "no /etc/krb5.conf to put the cluster's over: install krb5-config"
}

make_realm() {
    local etc=$cluster/etc host user
    mkdir -p "$etc/keytabs" "$etc/kdc"
    cat >"$etc/krb5.conf" <<END
[libdefaults]
    default_realm = $realm
    dns_lookup_kdc = false
    dns_canonicalize_hostname = false
    udp_preference_limit = 1
[realms]
    $realm = {
        kdc = h0:88
    }
END
    cat >"$etc/kdc/kdc.conf" <<END
[kdcdefaults]
    kdc_listen = 88
    kdc_tcp_listen = 88
[realms]
    $realm = {
        database_name = $etc/kdc/principal
        key_stash_file = $etc/kdc/stash
        max_life = 24h
    }
END
    {
        realm_program kdb5_util create -s -P "$(head -c 16 /dev/urandom | base64)"
        for user in root $job_users; do
            add_key "$user" "$user"
        done
        for ((host = 0; host <= hosts; host++)); do
            add_key "hadoop/h$host" "h$host"
            add_key "HTTP/h$host" "h$host"
        done
    } &>"$etc/kdc/made.log" || return 1
    # Reduces read it as a resource, and containers have no configuration directory.
    (cd "$cluster/conf/stock" && jar --create --file "$cluster/hadoop/share/hadoop/lib/ssl-client-conf.jar" ssl-client.xml) \
        || return 1
    make_certificate &>>"$etc/kdc/made.log"
}

realm_program() {
    KRB5_CONFIG=$cluster/etc/krb5.conf KRB5_KDC_PROFILE=$cluster/etc/kdc/kdc.conf "$@"
}

# add_key PRINCIPAL KEYTAB
add_key() {
    realm_program kadmin.local -r "$realm" -q "addprinc -randkey $1"
    realm_program kadmin.local -r "$realm" -q "ktadd -k $cluster/etc/keytabs/$2.keytab $1"
}

# One for all hosts: who else is there can't be known, and isn't the question here.
make_certificate() {
    local store=$cluster/etc/keys.jks host names=dns:localhost
    for ((host = 0; host <= hosts; host++)); do
        names+=,dns:h$host
    done
    keytool -genkeypair -alias all -keyalg RSA -keysize 2048 -dname CN=clone-hadoop -ext "san=$names" -validity 30 \
        -storetype JKS -keystore "$store" -storepass changeit -keypass changeit
    chmod 644 "$store"
}

# On each host only its own.
give_keytabs() {
    local host local_directory
    for ((host = 0; host <= hosts; host++)); do
        local_directory=$cluster/hosts/h$host/local
        mv "$cluster/etc/keytabs/h$host.keytab" "$local_directory/keytab"
        chmod 600 "$local_directory/keytab"
        [[ -z $container_user || $host == 0 ]] || chown "$container_user:" "$local_directory/keytab"
    done
}

start_kdc() {
    (
        close_descriptors
        host_command 0 env KRB5_CONFIG="$cluster/etc/krb5.conf" KRB5_KDC_PROFILE="$cluster/etc/kdc/kdc.conf" \
            setsid krb5kdc -n -r "$realm"
    ) </dev/null &>"$cluster/hosts/h0/logs/kdc.log" &
    note_process kdc-h0 $! || true
    daemon_listens kdc 0 88
}

# For root's commands, and for users', as long as the cluster may be used.
get_tickets() {
    local user
    for user in root $job_users; do
        (host_command 0 env KRB5CCNAME="$(ticket_of "$user")" kinit -l 24h -k -t "$cluster/etc/keytabs/$user.keytab" "$user") \
            &>>"$cluster/hosts/h0/logs/kdc.log" || return 1
    done
    for user in $job_users; do
        chown "$(job_user_id "$user")" "$(ticket_of "$user")"
    done
}

# ticket_of USER
ticket_of() {
    local ticket=$cluster/etc/ticket
    [[ $1 == root ]] || ticket+=-$1
    echo "$ticket"
}

// SPDX-License-Identifier: Apache-2.0
// AES-256-GCM for bodies: see wire_body.h.
#include "wire_body.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <sodium.h>

#include "wire_item.h"

#define GCM_TAG 16

_Static_assert(WIRE_CHUNK <= INT32_MAX, "OpenSSL counts in int");

// The environment's OPENSSL_CONF must not choose what code runs in here.
static bool start_openssl(void) {
    return OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, NULL) == 1;
}

bool wire_body_available(void) {
    return crypto_aead_aes256gcm_is_available() == 1 && start_openssl();
}

// A context for each body: a microsecond beside the 300 that a full one takes, and no key is kept.
static EVP_CIPHER_CTX *begin(const struct wire_body_seal *seal, bool encrypt) {
    int written;
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    if (context != NULL &&
        EVP_CipherInit_ex(context, EVP_aes_256_gcm(), NULL, seal->key, seal->nonce, encrypt) == 1 &&
        EVP_CipherUpdate(context, NULL, &written, seal->additional, (int)seal->additional_length) ==
            1)
        return context;
    EVP_CIPHER_CTX_free(context);
    return NULL;
}

int wire_body_seal(const struct wire_body_seal *seal, uint8_t tag, const uint8_t *body,
                   size_t length, uint8_t *sealed, struct failure *failure) {
    int written;
    EVP_CIPHER_CTX *context = begin(seal, true);
    bool done = context != NULL &&
                EVP_EncryptUpdate(context, sealed, &written, body, (int)length) == 1 &&
                EVP_EncryptUpdate(context, sealed + length, &written, &tag, 1) == 1 &&
                EVP_EncryptFinal_ex(context, sealed + length + 1, &written) == 1 &&
                EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, GCM_TAG, sealed + length + 1);
    EVP_CIPHER_CTX_free(context);
    return done ? 0 : fail(failure, EXIT_SPACE, "no memory to encrypt with");
}

bool wire_body_open(const struct wire_body_seal *seal, uint8_t *tag, const uint8_t *sealed,
                    size_t length, uint8_t *body) {
    uint8_t expected[GCM_TAG], none[1];
    for (size_t i = 0; i < sizeof expected; i++)
        expected[i] = sealed[length + 1 + i];
    int written;
    EVP_CIPHER_CTX *context = begin(seal, false);
    bool same = context != NULL &&
                EVP_DecryptUpdate(context, body, &written, sealed, (int)length) == 1 &&
                EVP_DecryptUpdate(context, tag, &written, sealed + length, 1) == 1 &&
                EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, GCM_TAG, expected) == 1 &&
                EVP_DecryptFinal_ex(context, none, &written) == 1;
    EVP_CIPHER_CTX_free(context);
    if (!same)
        sodium_memzero(body, length); // nobody may see what isn't authentic
    return same;
}

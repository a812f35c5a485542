/*
 * SPDX-License-Identifier: Apache-2.0
 * An older Hadoop's libhadoop.so for a newer one, whose own isn't published: Hadoop's secure
 * shuffle asks the kernel who owns an opened file (SecureIOUtils), by that library. The newer's
 * NativeIO calls initNativePosix, which the older lacks, and has no field
 * workaroundNonThreadSafePasswdCalls, which the older reads. Here both calls become the older
 * initNative, with a class that has the field. It is linked to the older library, so that all other
 * functions are found behind this one.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <jni.h>

typedef void init_native(JNIEnv *, jclass, jboolean);

init_native Java_org_apache_hadoop_io_nativeio_NativeIO_initNative;
init_native Java_org_apache_hadoop_io_nativeio_NativeIO_00024POSIX_initNativePosix;

/* A symbol that is missing ends in Java's UnsatisfiedLinkError, as any other would. */
static void init_older(JNIEnv *env, jboolean loaded) {
    void *older = dlopen("libhadoop.so.1.0.0", RTLD_NOLOAD | RTLD_LAZY);
    init_native *init;
    jclass flags;

    *(void **)&init =
        older ? dlsym(older, "Java_org_apache_hadoop_io_nativeio_NativeIO_initNative") : NULL;
    if (!init) {
        jclass error = (*env)->FindClass(env, "java/lang/UnsatisfiedLinkError");
        if (error)
            (*env)->ThrowNew(env, error, "no older initNative behind libhadoop.so");
        return;
    }
    flags = (*env)->FindClass(env, "NativeIOFlags");
    if (flags)
        init(env, flags, loaded);
}

void Java_org_apache_hadoop_io_nativeio_NativeIO_initNative(JNIEnv *env, jclass caller,
                                                            jboolean loaded) {
    (void)caller;
    init_older(env, loaded);
}

void Java_org_apache_hadoop_io_nativeio_NativeIO_00024POSIX_initNativePosix(JNIEnv *env,
                                                                            jclass caller,
                                                                            jboolean loaded) {
    (void)caller;
    init_older(env, loaded);
}

// SPDX-License-Identifier: Apache-2.0
// blast ADDRESS PORT COUNT [PROGRAM]: sends COUNT (65536 at most) memcached requests of 30 bytes,
// each with another id, as fast as it can, and prints nanoseconds of its processor time a packet.
// On pairs of veth interfaces the sender's processor carries a packet all the way into the
// receiver's socket, so this is the cost of all of it. With PROGRAM it prints how long the BPF
// programs of that name ran, on average, instead: the kernel's own measure (BPF_ENABLE_STATS in
// bpf(2)), which takes time as well.
#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// Sums up what programs of this name have done since they were loaded.
static struct bpf_prog_info runs_of(const char *name) {
    struct bpf_prog_info sum = {0};
    for (uint32_t id = 0; bpf_prog_get_next_id(id, &id) == 0;) {
        struct bpf_prog_info info = {0};
        uint32_t length = sizeof info;
        int fd = bpf_prog_get_fd_by_id(id);
        if (fd < 0)
            continue;
        if (bpf_obj_get_info_by_fd(fd, &info, &length) == 0 &&
            strncmp(info.name, name, sizeof info.name - 1) == 0) {
            sum.run_time_ns += info.run_time_ns;
            sum.run_cnt += info.run_cnt;
        }
        close(fd);
    }
    return sum;
}

int main(int argc, char **argv) {
    if (argc != 4 && argc != 5)
        return 64;
    const char *program = argc == 5 ? argv[4] : NULL;
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argv[2]))};
    int count = atoi(argv[3]), fd = socket(AF_INET, SOCK_DGRAM, 0);
    if (inet_pton(AF_INET, argv[1], &to.sin_addr) != 1 ||
        connect(fd, (struct sockaddr *)&to, sizeof to) < 0)
        return 64;
    if (program != NULL && bpf_enable_stats(BPF_STATS_RUN_TIME) < 0) // until we end
        return 70;
    uint8_t request[] = "\0\0\0\0\0\1\0\0get 1234567890123456\r\n";
    struct bpf_prog_info before = {0};
    if (program != NULL)
        before = runs_of(program);
    struct timespec begin, end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    for (int id = 0; id < count; id++) {
        request[0] = (uint8_t)(id >> 8);
        request[1] = (uint8_t)id;
        if (send(fd, request, sizeof request - 1, 0) < 0)
            id--; // "connection refused" is about one before
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    double ns = (double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec);
    if (program != NULL) {
        struct bpf_prog_info after = runs_of(program);
        ns = (double)(after.run_time_ns - before.run_time_ns);
        count = (int)(after.run_cnt - before.run_cnt);
    }
    printf("%.0f\n", count > 0 ? ns / count : 0);
    return 0;
}

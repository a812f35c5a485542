// The numbers of the fields we look at in CRIU's protobuf messages, as CRIU 4.2's images/*.proto
// have them. One enum for each message.
#ifndef CLONE_IMAGE_FIELDS_H
#define CLONE_IMAGE_FIELDS_H

enum inventory_field {
    INVENTORY_VERSION = 1,
    INVENTORY_IDS_PER_FDINFO = 2,
    INVENTORY_ROOT_IDS = 3,
    INVENTORY_LOCK_METHOD = 11,
    INVENTORY_PLUGINS = 12,
    INVENTORY_RUN_ID = 13,
    INVENTORY_UPROBES = 14
};
enum pstree_field {
    PSTREE_PID = 1,
    PSTREE_PARENT = 2,
    PSTREE_GROUP = 3,
    PSTREE_SESSION = 4,
    PSTREE_THREADS = 5
};
// Also of the inventory's root_ids. All from the pid to the time namespace are namespaces.
enum ids_field { IDS_FILES = 2, IDS_PID_NS = 5, IDS_NET_NS = 6, IDS_TIME_NS = 12 };
enum core_field { CORE_TASK = 3, CORE_IDS = 4, CORE_THREAD = 5 };
enum task_field {
    TASK_STATE = 1,
    TASK_TIMERS = 7,
    TASK_RLIMITS = 8,
    TASK_OLD_SECCOMP_MODE = 11,
    TASK_LOGINUID = 13,
    TASK_OOM_SCORE_ADJ = 14
};
enum timers_field { TIMERS_POSIX = 4, TIMER_CLOCK = 2 };
enum rlimits_field { RLIMIT_HARD = 2 };
enum thread_field {
    THREAD_NICE = 3,
    THREAD_POLICY = 4,
    THREAD_CREDS = 10,
    THREAD_SECCOMP_MODE = 11,
    THREAD_SECCOMP_FILTER = 12
};
enum creds_field {
    CREDS_UID = 1,
    CREDS_FSGID = 8, // 1 to 8: uid, gid, euid, egid, suid, sgid, fsuid, fsgid
    CREDS_CAP_INHERITABLE = 9,
    CREDS_CAP_PERMITTED = 10,
    CREDS_CAP_EFFECTIVE = 11,
    CREDS_CAP_BOUNDING = 12,
    CREDS_SECUREBITS = 13,
    CREDS_GROUPS = 14,
    CREDS_LSM_PROFILE = 15,
    CREDS_LSM_SOCKCREATE = 16,
    CREDS_NO_NEW_PRIVS = 18,
    CREDS_CAP_AMBIENT = 19
};
enum mm_field { MM_EXE_FILE = 12, MM_VMAS = 14 };
enum vma_field {
    VMA_START = 1,
    VMA_END = 2,
    VMA_SHMID = 4, // of file mappings: the file's id
    VMA_PROT = 5,
    VMA_FLAGS = 6,
    VMA_STATUS = 7,
    VMA_OPEN_FLAGS = 10
};
enum pagemap_field { PAGEMAP_IN_PARENT = 3, PAGEMAP_FLAGS = 4 };
enum fdinfo_field { FDINFO_ID = 1, FDINFO_TYPE = 3, FDINFO_LABEL = 5 };
enum file_field {
    FILE_TYPE = 1,
    FILE_ID = 2,
    FILE_REG = 3,
    FILE_INET = 4,
    FILE_NETLINK = 7,
    FILE_EVENTFD = 8,
    FILE_EVENTPOLL = 9,
    FILE_SIGNALFD = 10,
    FILE_TIMERFD = 12,
    FILE_INOTIFY = 13,
    FILE_UNIX = 16,
    FILE_FIFO = 17,
    FILE_PIPE = 18,
    FILE_TTY = 19,
    FILE_MEMFD = 20,
    FILE_PIDFD = 22
};
// Values of FILE_TYPE and FDINFO_TYPE.
enum file_type {
    TYPE_REG = 1,
    TYPE_PIPE = 2,
    TYPE_FIFO = 3,
    TYPE_INET = 4,
    TYPE_UNIX = 5,
    TYPE_EVENTFD = 6,
    TYPE_EVENTPOLL = 7,
    TYPE_INOTIFY = 8,
    TYPE_SIGNALFD = 9,
    TYPE_PACKET = 10,
    TYPE_TTY = 11,
    TYPE_FANOTIFY = 12,
    TYPE_NETLINK = 13,
    TYPE_NS = 14,
    TYPE_TIMERFD = 17,
    TYPE_MEMFD = 18,
    TYPE_PIDFD = 20
};
enum reg_field {
    REG_ID = 1,
    REG_FLAGS = 2,
    REG_OWNER = 5,
    REG_NAME = 6,
    REG_MOUNT = 7,
    REG_SIZE = 8,
    REG_EXTERNAL = 9,
    REG_MODE = 10
};
enum owner_field { OWNER_UID = 1, OWNER_EUID = 2, OWNER_PID = 5 };
enum inet_field {
    INET_FAMILY = 3,
    INET_TYPE = 4,
    INET_PROTOCOL = 5,
    INET_STATE = 6,
    INET_LOCAL_PORT = 7,
    INET_OWNER = 13,
    INET_OPTIONS = 14,
    INET_IP_OPTIONS = 16,
    INET_NET_NS = 18
};
enum ip_options_field { IP_OPTIONS_RAW = 4 };
enum socket_options_field {
    SOCKET_SEND_BUFFER = 1,
    SOCKET_RECEIVE_BUFFER = 2,
    SOCKET_PRIORITY = 8,
    SOCKET_MARK = 10,
    SOCKET_DEVICE = 15
};
enum unix_field {
    UNIX_KIND_FLAGS = 6,
    UNIX_OWNER = 9,
    UNIX_OPTIONS = 10,
    UNIX_NAME = 11,
    UNIX_PERMISSIONS = 13,
    UNIX_DIRECTORY = 14,
    UNIX_NET_NS = 16,
    UNIX_MOUNT = 17
};
enum permissions_field { PERMISSIONS_MODE = 1, PERMISSIONS_UID = 2, PERMISSIONS_GID = 3 };
enum netlink_field {
    NETLINK_PROTOCOL = 3,
    NETLINK_OWNER = 11,
    NETLINK_OPTIONS = 12,
    NETLINK_NET_NS = 13
};
enum pipe_field { PIPE_OWNER = 4 };
enum pipe_data_field { PIPE_DATA_CAPACITY = 3 };
enum fifo_field { FIFO_REG_FILE = 3 };
enum tty_field { TTY_OWNER = 4, TTY_REG_FILE = 6 };
enum tty_info_field { TTY_INFO_TYPE = 2, TTY_INFO_UID = 14 };
enum inotify_field { INOTIFY_OWNER = 4, INOTIFY_WATCH = 5 };
enum event_field { EVENT_OWNER = 3 }; // eventfd, eventpoll, signalfd, timerfd
enum pidfd_field { PIDFD_PID = 4, PIDFD_OWNER = 5 };
enum timerfd_field { TIMERFD_CLOCK = 4 };
enum memfd_field { MEMFD_OWNER = 4 };
enum memfd_inode_field {
    MEMFD_INODE_UID = 2,
    MEMFD_INODE_GID = 3,
    MEMFD_INODE_HUGE = 8,
    MEMFD_INODE_MODE = 9
};
enum fs_field { FS_CWD = 1, FS_ROOT = 2 };
enum remap_field { REMAP_FILE = 1, REMAP_ID = 2, REMAP_TYPE = 3 };
enum ghost_field { GHOST_UID = 1, GHOST_GID = 2, GHOST_MODE = 3, GHOST_CHUNKS = 9 };
enum seccomp_field { SECCOMP_FILTER_CODE = 1, SECCOMP_FILTER_FLAGS = 3 };
enum lock_field { LOCK_KIND = 1 };

#endif

internal import CLinux

extension Descriptor {
    /// Who could change a file's bytes during a read without a change of its times. After one write, a mapped page
    /// takes further writes silently (mmap(2): `st_mtime` is marked between the write and the next `msync`).
    public enum Writers: Sendable {
        /// Only this user and root.
        case user
        /// Its owner, others by its mode (an access list's mask counts as the group's), or another machine.
        case others
        /// A process that has the file open or mapped for writing, whatever its mode is now.
        case somebodyNow
    }

    /// - Parameter status: the file's status.
    public func writers(_ status: FileStatus) -> Writers {
        if MemoryFile.isUnchangeable(self) { return .user }
        let isUsers = status.owner == geteuid() && !status.isWritableByOthers && isOnThisMachine
        if clinux_try_read_lease(number) == 0 { return isUsers ? .user : .others }
        // If no lease is available, as for others' files, open writers are unknown.
        return clinux_errno() == EAGAIN ? .somebodyNow : .others
    }

    /// Whether the file is in a local file system, in which this kernel sees every write.
    private var isOnThisMachine: Bool {
        var status = statfs()
        guard fstatfs(number, &status) == 0 else { return false }
        return Self.localFileSystems.contains(UInt32(truncatingIfNeeded: status.f_type))
    }

    /// Numbers from the kernel's `magic.h` and statfs(2): ext2 to ext4, XFS, Btrfs, tmpfs, ramfs, overlay, F2FS, ZFS,
    /// bcachefs, JFS, ReiserFS, FAT, exFAT, NTFS, HFS+, UDF, ISO 9660, Squashfs, EROFS. FUSE is not among them: there a
    /// program supplies the bytes.
    private static let localFileSystems: Set<UInt32> = [
        0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0x8584_58F6, 0x794C_7630, 0xF2F5_2010, 0x2FC1_2FC1, 0xCA45_1A4E,
        0x3153_464A, 0x5265_4973, 0x4D44, 0x2011_BAB0, 0x5346_544E, 0x7366_746E, 0x482B, 0x1501_3346, 0x9660,
        0x7371_7368,
        0xE0F5_E1E2,
    ]
}

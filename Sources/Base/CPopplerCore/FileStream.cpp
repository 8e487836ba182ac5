#include "FileStream.h"

#include <algorithm>

#include <poppler/PDFDoc.h>
#include <poppler/Stream.h>

namespace {

// Reads a part of a file by its function.
class ReadStream: public BaseSeekInputStream {
public:
    ReadStream(const poppler_core_file &file, Goffset start, bool is_limited, Goffset length, Object &&dictionary):
        BaseSeekInputStream(start, is_limited, length, std::move(dictionary)), file(file) {}
    ~ReadStream() override { close(); }

    BaseStream *copy() override { return new ReadStream(file, start, limited, length, dict.copy()); }
    Stream *makeSubStream(Goffset from, bool is_limited, Goffset count, Object &&dictionary) override {
        return new ReadStream(file, from, is_limited, count, std::move(dictionary));
    }

private:
    Goffset currentPos() const override { return position; }
    void setCurrentPos(Goffset offset) override { position = offset; }
    Goffset read(char *buffer, Goffset count) override {
        Goffset done = file.read(file.context, position, buffer, count);
        // Bytes that cannot be read end the stream, and the host drops what is made of the rest.
        if (done > 0) position += done;
        return std::max<Goffset>(done, 0);
    }

    poppler_core_file file;
    Goffset position = 0;
};

} // namespace

BaseStream *poppler_core_stream(const poppler_core_file &file) {
    Object none(objNull);
    if (file.bytes) return new MemStream(file.bytes, 0, file.byte_count, std::move(none));
    return new ReadStream(file, 0, false, file.byte_count, std::move(none));
}

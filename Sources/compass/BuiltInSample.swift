import Media

/// Tiny files, one a format, 16 × 16 pixels each (made with ImageMagick, libvips, libheif and ffmpeg from a gradient or a
/// test picture): what `compass doctor` decodes to see whether the decoders are there.
struct BuiltInSample {
    let name: String
    let remedy: String
    let bytes: [UInt8]

    static let all: [BuiltInSample] = [
        BuiltInSample(
            name: "JPEG", remedy: "libvips42",
            base64: """
                /9j/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYVpQYEpRUk//2wBDAQ4O\
                DhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT0//wAARCAAQABADASIAAhEB\
                AxEB/8QAFgABAQEAAAAAAAAAAAAAAAAAAAQG/8QAFhABAQEAAAAAAAAAAAAAAAAAABNh/8QAFAEBAAAAAAAAAAAAAAAAAAAABf/EABYR\
                AAMAAAAAAAAAAAAAAAAAAAAVYf/aAAwDAQACEQMRAD8AzFtLagsWMIYPuqf/2Q==
                """),
        BuiltInSample(
            name: "PNG", remedy: "libvips42",
            base64: """
                iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAMAAAAoLQ9TAAAAIGNIUk0AAHomAACAhAAA+gAAAIDoAAB1MAAA6mAAADqYAAAXcJy6UTwA\
                AAAzUExURf8AAO4AEd0AIswAM7sARKoAVZkAZogAd3cAiGYAmVUAqkQAuzMAzCIA3REA7gAA/////97bxooAAAABYktHRBCVsg0sAAAA\
                LElEQVQY013BtQEAIADAsOIO/3/L3gQsCFFIQhaKUIUmdGEIU1jCFo5whScfk+4HgbMLnzwAAAAASUVORK5CYII=
                """),
        BuiltInSample(
            name: "WebP", remedy: "libvips42",
            base64: """
                UklGRkwAAABXRUJQVlA4IEAAAAAQAgCdASoQABAAAsBMJbDuAGMPgB+gAIPwAP7wxzf6ny/hu164XSN6fEyIWEVZ/9mLPo8g//pOp//4\
                JzTO76AA
                """),
        BuiltInSample(
            name: "GIF", remedy: "libvips42",
            base64: """
                R0lGODlhEAAQAPQQAP8AAO4AEd0AIswAM7sARKoAVZkAZogAd3cAiGYAmVUAqkQAuzMAzCIA3REA7gAA/////wAAAAAAAAAAAAAAAAAA\
                AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACH5BAAAAAAAIf8LSW1hZ2VNYWdpY2sNZ2FtbWE9MC40NTQ1NQAsAAAAABAAEAAA\
                BVIgII5kCQRoqq6B4L5wLAx0bd8Doe98TxTAoHBYMBiPyKThwGw6nweEdEqtIhLYrHabUHi/4LBiQS6bzwuGes1uMxrwuHzecNjv+Lzj\
                we/7/w8hADs=
                """),
        BuiltInSample(
            name: "TIFF", remedy: "libvips42",
            base64: """
                SUkqAGIAAAB4nJXSUREAEBQF0VtBBRVUUEEFFVRQQQUVVFBBBRW4FXa/j5mH98S6CsgfReS3EvJLGfmpgvxQRb6rId98glQ9Ean4xqTs\
                FyUl/xgpeiNIwRvHekh/WwcP8QAQAAABAwABAAAAEAAAAAEBAwABAAAAEAAAAAIBAwADAAAAOAEAAAMBAwABAAAACAAAAAYBAwABAAAA\
                AgAAABEBBAABAAAACAAAABIBAwABAAAAAQAAABUBAwABAAAAAwAAABYBAwABAAAAgAAAABcBBAABAAAAWQAAABoBBQABAAAAKAEAABsB\
                BQABAAAAMAEAABwBAwABAAAAAQAAACgBAwABAAAAAwAAAD0BAwABAAAAAgAAAFMBAwADAAAAPgEAAAAAAAApXHEAAAAEAClccQAAAAQA\
                CAAIAAgAAQABAAEA
                """),
        BuiltInSample(
            name: "HEIC", remedy: "libheif1, libde265-0",
            base64: """
                AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAa1tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5w\
                aXRtAAAAAAACAAAAEGlkYXQAAAAAABAAEAAAADhpbG9jAQAAAERAAAIAAQAAAAAAAAHRAAEAAAAAAAAAOQACAAEAAAAAAAAAAQAAAAAA\
                AAAIAAAAOGlpbmYAAAAAAAIAAAAVaW5mZQIAAAEAAQAAaHZjMQAAAAAVaW5mZQIAAAAAAgAAZ3JpZAAAAADYaXBycAAAALZpcGNvAAAA\
                dmh2Y0MBA3AAAAAAAAAAAAAe8AD8/fj4AAAPAyAAAQAYQAEMAf//A3AAAAMAkAAAAwAAAwAeugJAIQABACpCAQEDcAAAAwCQAAADAAAD\
                AB6gIIEFluqumubgQEDAgAAAAwCAAAADAIQiAAEABkQBwXPBiQAAABRpc3BlAAAAAAAAAEAAAABAAAAAFGlzcGUAAAAAAAAAEAAAABAA\
                AAAQcGl4aQAAAAADCAgIAAAAGmlwbWEAAAAAAAAAAgABAoECAAICA4QAAAAaaXJlZgAAAAAAAAAOZGltZwACAAEAAQAAAEFtZGF0AAAA\
                NSgBr1IWrSTm/iGIclHVGEyWT+ofU3CPUbZeEMuoc63SUvn5dfXZVxxS1aCfQiu/MpEgS6NA
                """),
        BuiltInSample(
            name: "AVIF", remedy: "libheif1, libaom3 or libdav1d6",
            base64: """
                AAAAHGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZgAAAOptZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5w\
                aXRtAAAAAAABAAAAImlsb2MAAAAAREAAAQABAAAAAAEOAAEAAAAAAAAAJQAAACNpaW5mAAAAAAABAAAAFWluZmUCAAAAAAEAAGF2MDEA\
                AAAAamlwcnAAAABLaXBjbwAAABNjb2xybmNseAACAAIABoAAAAAMYXYxQ4EADAAAAAAUaXNwZQAAAAAAAAAQAAAAEAAAABBwaXhpAAAA\
                AAMICAgAAAAXaXBtYQAAAAAAAAABAAEEgYIDhAAAAC1tZGF0EgAKCRgM/9ggQEDQgDIWGYAQQQQEAAGIdSPan3he1t3GioPi3g==
                """),
        BuiltInSample(
            name: "JPEG 2000", remedy: "libvips42",
            base64: """
                AAAADGpQICANCocKAAAAFGZ0eXBqcDIgAAAAAGpwMiAAAAAtanAyaAAAABZpaGRyAAAAEAAAABAAAwcHAAAAAAAPY29scgEAAAAAABAA\
                AAHyanAyY/9P/1EALwAAAAAAEAAAABAAAAAAAAAAAAAAAgAAAAIAAAAAAAAAAAAAAwcBAQcBAQcBAf9SAA0BAgABAQAEBAAAiP9cAAVC\
                QAD/ZAAlAAFDcmVhdGVkIGJ5IE9wZW5KUEVHIHZlcnNpb24gMi41LjD/kAAKAAAAAAF4AAH/k8+nQoBkFQ0r6tGEKKzQ1cI3gZmPwn0J\
                fOXciJRnoD1G2/QzmZmZmZmY1oqTnOc5znOc50z2B6jbbbNZXDbbbbZAU5W9Rttsn2iAAAAAAABxyB6jbbbTSUTnOc5znOc53UE5VVVV\
                VVVFG96jbbbZiSSc5znOc5znOogjKqqqqqqqqqqqqqqqqquQz6b4jOW5JQgSV+QNWT0t6jbZDHPPrFwhL24D4jlien3ve973v1RnUbbb\
                baceUz7tKQ1Vh2/36UnOc5znOc5zmuGVvUbbbXzqM6SQdEYZfPyoRexs/ojSSAAAAAAAA27o22221kmh6UnOc5znOc6RmIbQQwkJCBCN\
                Sjlb1G2yEs+avhQAXKOFfx4nwk0gkAADCQiSi84J8zMzMzM0Dse0ykkg6IwzolqgALZTPADZAAAAAAABRASAAAAAAAD+ejX/NieLR8eg\
                mJSc5znOc50z2B6jbbbMSSTnOc5znOc56CE0/9k=
                """),
        BuiltInSample(
            name: "JPEG XL", remedy: "libjxl0.7",
            base64: """
                /wpDBgEgAZNhCQCACpVRxg1ezvV8+aHDYtrGdYa22rawhLHZXhgkJJyA55Ycb56O/l3GYodsk/IhDEeGGEAliWTIvJVwAPB5AhwAFACg\
                Yg==
                """),
        BuiltInSample(
            name: "BMP", remedy: "libavcodec59",
            base64: """
                Qk02AwAAAAAAADYAAAAoAAAAEAAAABAAAAABABgAAAAAAAADAAAAAAAAAAAAAAAAAAAAAAAA/wAA/wAA/wAA/wAA/wAA/wAA/wAA/wAA\
                /wAA/wAA/wAA/wAA/wAA/wAA/wAA/wAA7gAR7gAR7gAR7gAR7gAR7gAR7gAR7gAR7gAR7gAR7gAR7gAR7gAR7gAR7gAR7gAR3QAi3QAi\
                3QAi3QAi3QAi3QAi3QAi3QAi3QAi3QAi3QAi3QAi3QAi3QAi3QAi3QAizAAzzAAzzAAzzAAzzAAzzAAzzAAzzAAzzAAzzAAzzAAzzAAz\
                zAAzzAAzzAAzzAAzuwBEuwBEuwBEuwBEuwBEuwBEuwBEuwBEuwBEuwBEuwBEuwBEuwBEuwBEuwBEuwBEqgBVqgBVqgBVqgBVqgBVqgBV\
                qgBVqgBVqgBVqgBVqgBVqgBVqgBVqgBVqgBVqgBVmQBmmQBmmQBmmQBmmQBmmQBmmQBmmQBmmQBmmQBmmQBmmQBmmQBmmQBmmQBmmQBm\
                iAB3iAB3iAB3iAB3iAB3iAB3iAB3iAB3iAB3iAB3iAB3iAB3iAB3iAB3iAB3iAB3dwCIdwCIdwCIdwCIdwCIdwCIdwCIdwCIdwCIdwCI\
                dwCIdwCIdwCIdwCIdwCIdwCIZgCZZgCZZgCZZgCZZgCZZgCZZgCZZgCZZgCZZgCZZgCZZgCZZgCZZgCZZgCZZgCZVQCqVQCqVQCqVQCq\
                VQCqVQCqVQCqVQCqVQCqVQCqVQCqVQCqVQCqVQCqVQCqVQCqRAC7RAC7RAC7RAC7RAC7RAC7RAC7RAC7RAC7RAC7RAC7RAC7RAC7RAC7\
                RAC7RAC7MwDMMwDMMwDMMwDMMwDMMwDMMwDMMwDMMwDMMwDMMwDMMwDMMwDMMwDMMwDMMwDMIgDdIgDdIgDdIgDdIgDdIgDdIgDdIgDd\
                IgDdIgDdIgDdIgDdIgDdIgDdIgDdIgDdEQDuEQDuEQDuEQDuEQDuEQDuEQDuEQDuEQDuEQDuEQDuEQDuEQDuEQDuEQDuEQDuAAD/AAD/\
                AAD/AAD/AAD/AAD/AAD/AAD/AAD/AAD/AAD/AAD/AAD/AAD/AAD/AAD/
                """),
        BuiltInSample(
            name: "H.264", remedy: "libavcodec59",
            base64: """
                AAAAIGZ0eXBpc29tAAACAGlzb21pc28yYXZjMW1wNDEAAAAIZnJlZQAAAM1tZGF0AAAAwWWIhBH/8FJbEhr1uF5jdEq+Dkxiw70wL4Ab\
                utrJnUHPPlg5q4topzbzk1OSg9aTdQ60XjG+G2X2l5XYe1BqGyvUEYq5FAupvvqOQONc1JvY/OnYWEo8Ncu5uUO2b+68h2eULn5A6Roo\
                HTBMohxX3VSakgCwyYbS2YOwmE6Ir/y6uvs0ec8GmjrVGp+VXxoZjaqZoVT/zB7iWKHQZ0qcM5Vx+4p4PjJctbuVoobkncxHnjy8h5t4\
                qLRalW8OXppdLZsAAAMQbW9vdgAAAGxtdmhkAAAAAAAAAAAAAAAAAAAD6AAAA+gAAQAAAQAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAA\
                AAABAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAgAAAjp0cmFrAAAAXHRraGQAAAADAAAAAAAAAAAA\
                AAABAAAAAAAAA+gAAAAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAABAAAAAABAAAAAQAAAAAAAkZWR0\
                cwAAABxlbHN0AAAAAAAAAAEAAAPoAAAAAAABAAAAAAGybWRpYQAAACBtZGhkAAAAAAAAAAAAAAAAAABAAAAAQABVxAAAAAAALWhkbHIA\
                AAAAAAAAAHZpZGUAAAAAAAAAAAAAAABWaWRlb0hhbmRsZXIAAAABXW1pbmYAAAAUdm1oZAAAAAEAAAAAAAAAAAAAACRkaW5mAAAAHGRy\
                ZWYAAAAAAAAAAQAAAAx1cmwgAAAAAQAAAR1zdGJsAAAAuXN0c2QAAAAAAAAAAQAAAKlhdmMxAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAA\
                ABAAEABIAAAASAAAAAAAAAABFUxhdmM1OS4zNy4xMDAgbGlieDI2NAAAAAAAAAAAAAAAGP//AAAAL2F2Y0MBZBAK/+EAE2dkEAqsu9gI\
                gAAAAwCAAAADAQIBAAVo7g8si/34+AAAAAAQcGFzcAAAAAEAAAABAAAAFGJ0cnQAAAAAAAAGKAAABigAAAAYc3R0cwAAAAAAAAABAAAA\
                AQAAQAAAAAAcc3RzYwAAAAAAAAABAAAAAQAAAAEAAAABAAAAFHN0c3oAAAAAAAAAxQAAAAEAAAAUc3RjbwAAAAAAAAABAAAAMAAAAGJ1\
                ZHRhAAAAWm1ldGEAAAAAAAAAIWhkbHIAAAAAAAAAAG1kaXJhcHBsAAAAAAAAAAAAAAAALWlsc3QAAAAlqXRvbwAAAB1kYXRhAAAAAQAA\
                AABMYXZmNTkuMjcuMTAw
                """),
        BuiltInSample(
            name: "HEVC", remedy: "libavcodec59",
            base64: """
                AAAAHGZ0eXBpc29tAAACAGlzb21pc28ybXA0MQAAAAhmcmVlAAAAyW1kYXQAAAC9KAGvE4CUpVOsAN5o6wUmYPbNOTymx+D9hMk7ZzYL\
                SwL07kjGYnruf3BCFkSCaR9/YcZ/IWAGEv08mkZpAB1HnRheGPOlq9AwIu+ODSqAsfM1UPZWDdUWVta3O0ew80qGxqjsfKEp/88X5SS1\
                XGgSIvoPF7u70ePjDg4dNffYcMHAdZjR+Oop7SwitXZlpPCAn/iVpuE9Njet8M41hyq8d6IzwvMk9WkeMamXzFfwop9UoMvAvfPjlQq7\
                IU4ZAAADX21vb3YAAABsbXZoZAAAAAAAAAAAAAAAAAAAA+gAAAPoAAEAAAEAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAAAAAQAAAAAA\
                AAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIAAAKJdHJhawAAAFx0a2hkAAAAAwAAAAAAAAAAAAAAAQAAAAAA\
                AAPoAAAAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAQAAAAAAQAAAAEAAAAAAAJGVkdHMAAAAcZWxz\
                dAAAAAAAAAABAAAD6AAAAAAAAQAAAAACAW1kaWEAAAAgbWRoZAAAAAAAAAAAAAAAAAAAQAAAAEAAVcQAAAAAAC1oZGxyAAAAAAAAAAB2\
                aWRlAAAAAAAAAAAAAAAAVmlkZW9IYW5kbGVyAAAAAaxtaW5mAAAAFHZtaGQAAAABAAAAAAAAAAAAAAAkZGluZgAAABxkcmVmAAAAAAAA\
                AAEAAAAMdXJsIAAAAAEAAAFsc3RibAAAAQhzdHNkAAAAAAAAAAEAAAD4aHZjMQAAAAAAAAABAAAAAAAAAAAAAAAAAAAAAAAQABAASAAA\
                AEgAAAAAAAAAARVMYXZjNTkuMzcuMTAwIGxpYngyNjUAAAAAAAAAAAAAABj//wAAAHRodmNDAQFgAAAAkAAAAAAAHvAA/P34+AAADwOg\
                AAEAGEABDAH//wFgAAADAJAAAAMAAAMAHpWYCaEAAQAoQgEBAWAAAAMAkAAAAwAAAwAeoIhFllZqvK8BaAgAAAMACAAAAwAIQKIAAQAG\
                RAHBc9CJAAAACmZpZWwBAAAAABBwYXNwAAAAAQAAAAEAAAAUYnRydAAAAAAAAAYIAAAGCAAAABhzdHRzAAAAAAAAAAEAAAABAABAAAAA\
                ABxzdHNjAAAAAAAAAAEAAAABAAAAAQAAAAEAAAAUc3RzegAAAAAAAADBAAAAAQAAABRzdGNvAAAAAAAAAAEAAAAsAAAAYnVkdGEAAABa\
                bWV0YQAAAAAAAAAhaGRscgAAAAAAAAAAbWRpcmFwcGwAAAAAAAAAAAAAAAAtaWxzdAAAACWpdG9vAAAAHWRhdGEAAAABAAAAAExhdmY1\
                OS4yNy4xMDA=
                """),
        BuiltInSample(
            name: "VP9", remedy: "libavcodec59",
            base64: """
                GkXfo59ChoEBQveBAULygQRC84EIQoKEd2VibUKHgQJChYECGFOAZwEAAAAAAALnEU2bdLpNu4tTq4QVSalmU6yBoU27i1OrhBZUrmtT\
                rIHYTbuMU6uEElTDZ1OsggElTbuMU6uEHFO7a1OsggLR7AEAAAAAAABZAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
                AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAVSalmsirXsYMPQkBNgI1MYXZmNTkuMjcu\
                MTAwV0GNTGF2ZjU5LjI3LjEwMESJiECPQAAAAAAAFlSua8iuAQAAAAAAAD/XgQFzxYgzwZotir/TvpyBACK1nIN1bmSIgQCGhVZfVlA5\
                g4EBI+ODhDuaygDgkLCBELqBEJqBAlWwhFW5gQESVMNnQIFzc6BjwIBnyJpFo4dFTkNPREVSRIeNTGF2ZjU5LjI3LjEwMHNz22PAi2PF\
                iDPBmi2Kv9O+Z8ilRaOHRU5DT0RFUkSHmExhdmM1OS4zNy4xMDAgbGlidnB4LXZwOWfIokWjiERVUkFUSU9ORIeUMDA6MDA6MDEuMDAw\
                MDAwMDAwAAAfQ7Z1QR/ngQCjQRmBAACAgkmDQgAA8AD2ADgkHBhKAAAgIAB8ZWJ//+KAP90RZxYrtmYHa/92slZnHWBhnyDIr1X/8yt0\
                17y/FyHRpARNtdet///6svnHPHd+FNVnub/QX4mEAL1crjTk7y+dcjnJ/9YpeSt7x+U8hxHNHF/bHht1hNdyZ20sPvMkOZmf/9bVOP/x\
                tsfeGlAjbe8f//fbg5RcwzFWHaYj/hf+/1sPQTw64H4Z6vmXkRs0f/96P/2ODjDcKmRsf5NN4ReigFjNMfeb207Y0n3iz2++tlqL9Tf4\
                74bf/9jf/ut2/j2IpZPpbqn/w6dNLl2FCxk/+l3tEncp9nWT6c9u1ah4l5bXOGIYxH//poGJyl0j+SJbhR8x9fxgABxTu2uRu4+zgQC3\
                iveBAfGCAazwgQM=
                """),
        BuiltInSample(
            name: "AV1", remedy: "libavcodec59",
            base64: """
                GkXfo59ChoEBQveBAULygQRC84EIQoKEd2VibUKHgQJChYECGFOAZwEAAAAAAASAEU2bdLpNu4tTq4QVSalmU6yBoU27i1OrhBZUrmtT\
                rIHYTbuMU6uEElTDZ1OsggMXTbuMU6uEHFO7a1OsggRq7AEAAAAAAABZAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
                AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAVSalmsirXsYMPQkBNgI1MYXZmNTkuMjcu\
                MTAwV0GNTGF2ZjU5LjI3LjEwMESJiECPQAAAAAAAFlSua0I5rgEAAAAAAAIw14EBc8WIasmJ7yfCSl+cgQAitZyDdW5kiIEAhoVWX0FW\
                MYOBASPjg4Q7msoA4JCwgRC6gRCagQJVsIRVuYEBY6KQgQAMAAoKAAAAAZ/5tfIAgOwBAAAAAAAB1QAAAAAAAAAAAAAAAAAAAAAAAAAA\
                AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
                AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
                AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
                AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
                AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
                AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAASVMNnQIFzc6BjwIBnyJpFo4dF\
                TkNPREVSRIeNTGF2ZjU5LjI3LjEwMHNz22PAi2PFiGrJie8nwkpfZ8ilRaOHRU5DT0RFUkSHmExhdmM1OS4zNy4xMDAgbGliYW9tLWF2\
                MWfIokWjiERVUkFUSU9ORIeUMDA6MDA6MDEuMDAwMDAwMDAwAAAfQ7Z1QMbngQCjQMCBAACACgoAAAABn/m18gCAMq0BEADAAHHAACi6\
                6Me5ZAKMT8LIR19pchnZYSBFGwsCymOK1zkpmgFdIH8H744F3EwI9iTXtRXNf7OpWhSkkc8P7GRxjGXM4za1LL/XOWVYzHDuDThauZV8\
                JaxWKWE4Hez8C12jApaflrypkVZLBq6xf+TID8g0qKZgDMsESRUdlo1/0b+qOT4bzTVpK7Oc2RvVVNd4rjuzypiqAGhbhcJm9+2gYlzF\
                kKEkRpU2gLwcU7trkbuPs4EAt4r3gQHxggOe8IED
                """),
        BuiltInSample(
            name: "SVG", remedy: "librsvg2-2",
            text:
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"16\" height=\"16\"><circle cx=\"8\" cy=\"8\" r=\"7\"/></svg>"
        ),
        BuiltInSample(
            name: "PDF", remedy: "libpoppler-glib8",
            text: page(font: "/Type/Font/Subtype/Type1/BaseFont/Helvetica", text: "(A)")),
    ]

    /// A page with one letter in a font that is not embedded: blank where no substitute is installed.
    static let standardFontPage = page(font: "/Type/Font/Subtype/Type1/BaseFont/Helvetica", text: "(A)")

    /// A page with the ideograph 永 in a Japanese font that is not embedded: blank without character maps and a font.
    static let ideographPage = page(
        font: """
            /Type/Font/Subtype/Type0/BaseFont/HeiseiMin-W3/Encoding/UniJIS-UCS2-H/DescendantFonts[<</Type/Font\
            /Subtype/CIDFontType0/BaseFont/HeiseiMin-W3/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)/Supplement 2>>\
            /FontDescriptor<</Type/FontDescriptor/FontName/HeiseiMin-W3/Flags 4/FontBBox[0 -200 1000 900]/ItalicAngle 0\
            /Ascent 800/Descent -200/StemV 80/CapHeight 700>>>>]
            """, text: "<6C38>")

    /// A PDF of one page of 72 × 72 points; without a cross-reference table, which every reader makes anew.
    private static func page(font: String, text: String) -> String {
        """
        %PDF-1.4
        1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
        2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
        3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj
        4 0 obj<</Length 40>>stream
        BT /F 60 Tf 6 14 Td \(text) Tj ET
        endstream endobj
        5 0 obj<<\(font)>>endobj
        trailer<</Root 1 0 R>>
        """
    }

    private init(name: String, remedy: String, base64: String) {
        self.name = name
        self.remedy = remedy
        bytes = Base64.decode(base64)
    }

    private init(name: String, remedy: String, text: String) {
        self.name = name
        self.remedy = remedy
        bytes = Array(text.utf8)
    }
}

// ThumbnailCache

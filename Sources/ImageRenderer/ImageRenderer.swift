// ImageRenderer

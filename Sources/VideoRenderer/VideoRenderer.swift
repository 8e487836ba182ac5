// VideoRenderer

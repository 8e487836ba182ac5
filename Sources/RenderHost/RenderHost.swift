// RenderHost

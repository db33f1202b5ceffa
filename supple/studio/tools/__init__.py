"""What people do with the mouse: grab, draw strokes, undo."""

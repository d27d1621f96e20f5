"""The front door: everything the screens and the command line may ask of a library of works."""

from engine.library.door import Library
from engine.library.drawing import PictureForm, PictureRequest, draw_picture, encode_picture

__all__ = ["Library", "PictureForm", "PictureRequest", "draw_picture", "encode_picture"]

"""Layers with random options, and trainings with random optimizers and schedulers, compared with PyTorch.

layers.py draws a layer and what it is called with, trainings.py an optimizer and a scheduler; comparing.py runs both
libraries, from the same weights and random streams, and says where they differ.
"""

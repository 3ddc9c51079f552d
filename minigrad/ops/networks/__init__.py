"""The building blocks of neural networks: activations, softmax, losses."""

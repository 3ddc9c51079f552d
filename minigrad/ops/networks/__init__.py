"""What neural networks are made of: activations, softmax, losses."""

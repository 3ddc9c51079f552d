from minigrad._core.graph.graph import AccumulateGrad, Node, Tensor, wrap

__all__ = ["AccumulateGrad", "Node", "Tensor", "wrap"]

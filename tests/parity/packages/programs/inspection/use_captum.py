"""captum: attributions of a small network, by gradients, by paths, by layers, by perturbation."""

import torch
from captum.attr import (DeepLift, DeepLiftShap, FeatureAblation, FeaturePermutation, GradientShap, GuidedBackprop,
                         GuidedGradCam, InputXGradient, IntegratedGradients, KernelShap, LayerActivation,
                         LayerConductance, LayerGradCam, LayerIntegratedGradients, NeuronConductance, NoiseTunnel,
                         Occlusion, Saliency, ShapleyValueSampling)

torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(3, 5), torch.nn.ReLU(), torch.nn.Linear(5, 2)).eval()
x, base = torch.randn(2, 3), torch.zeros(2, 3)
print("ig", *(each.tolist() for each in IntegratedGradients(model).attribute(
    x, base, target=1, n_steps=20, return_convergence_delta=True)))
for method in (Saliency, InputXGradient, DeepLift, FeatureAblation, GuidedBackprop):
    print(method.__name__, method(model).attribute(x, target=0).tolist())
print("shap", DeepLiftShap(model).attribute(x, torch.randn(4, 3), target=0).tolist())
torch.manual_seed(1)
print("shapley", ShapleyValueSampling(model).attribute(x, target=0, n_samples=5).tolist())
print("permuted", FeaturePermutation(model).attribute(x, target=0).shape)
for layer in (LayerConductance, LayerActivation, LayerIntegratedGradients):
    options = {} if layer is LayerActivation else {"target": 1}
    print(layer.__name__, layer(model, model[0]).attribute(x, **options).tolist())
print("neuron", NeuronConductance(model, model[0]).attribute(x, 2, target=1).tolist())
tunnel = NoiseTunnel(Saliency(model)).attribute(x, nt_samples=4, nt_type="smoothgrad", stdevs=0.0, target=0)
print("tunnel", tunnel.tolist())
print("gradient shap", GradientShap(model).attribute(x, base, n_samples=3, stdevs=0.0, target=0).shape)
print("kernel", KernelShap(model).attribute(x[:1], target=0, n_samples=8).shape)

net = torch.nn.Sequential(torch.nn.Conv2d(1, 2, 3), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(32, 2)).eval()
image = torch.randn(1, 1, 6, 6)
print("occlusion", Occlusion(net).attribute(image, (1, 3, 3), strides=(1, 3, 3), target=1).sum((2, 3)).tolist())
print("gradcam", LayerGradCam(net, net[0]).attribute(image, target=1).flatten()[:4].tolist())
print("guided", GuidedGradCam(net, net[0]).attribute(image, target=1).abs().sum().item())

"""torchmetrics: metrics of classification, regression, texts, pictures and retrieval, over batches."""

import torch
import torchmetrics
from torchmetrics import Accuracy, AUROC, ConfusionMatrix, F1Score, MeanMetric, MetricCollection, R2Score
from torchmetrics.image import PeakSignalNoiseRatio, StructuralSimilarityIndexMeasure
from torchmetrics.text import Perplexity

torch.manual_seed(0)
logits, labels = torch.randn(3, 20, 4), torch.randint(0, 4, (3, 20))
metrics = MetricCollection({"accuracy": Accuracy("multiclass", num_classes=4, average="micro"),
                            "f1": F1Score("multiclass", num_classes=4, average="macro"),
                            "auroc": AUROC("multiclass", num_classes=4),
                            "precision": torchmetrics.AveragePrecision("multiclass", num_classes=4),
                            "calibration": torchmetrics.CalibrationError("multiclass", num_classes=4),
                            "kappa": torchmetrics.CohenKappa("multiclass", num_classes=4)})
for batch in range(3):
    print({name: value.item() for name, value in metrics(logits[batch].softmax(-1), labels[batch]).items()})
print({name: value.item() for name, value in metrics.compute().items()})
confusion = ConfusionMatrix("multiclass", num_classes=4)
print(confusion(logits.flatten(0, 1), labels.flatten()).tolist())
scores, binary = torch.rand(30), torch.randint(0, 2, (30,))
curve = torchmetrics.functional.roc(scores, binary, task="binary")
print([round(each.sum().item(), 4) for each in curve])
x, y = torch.randn(40), torch.randn(40)
for metric in (R2Score(), torchmetrics.MeanSquaredError(), torchmetrics.PearsonCorrCoef(),
               torchmetrics.SpearmanCorrCoef(), torchmetrics.KendallRankCorrCoef(), torchmetrics.ExplainedVariance()):
    metric.update(x[:20], y[:20])
    metric.update(x[20:], y[20:])
    print(type(metric).__name__, metric.compute().item())
pictures = torch.rand(2, 3, 32, 32)
other = (pictures + 0.1 * torch.randn(2, 3, 32, 32)).clamp(0, 1)
print(PeakSignalNoiseRatio(data_range=1.0)(other, pictures).item())
print(StructuralSimilarityIndexMeasure(data_range=1.0)(other, pictures).item())
print(Perplexity()(torch.randn(2, 5, 7), torch.randint(0, 7, (2, 5))).item())
print(torchmetrics.RetrievalMAP()(scores, binary, indexes=torch.arange(30) // 10).item())
mean = MeanMetric()
mean.update(torch.tensor([1.0, 2.0]), weight=torch.tensor([1.0, 3.0]))
print(mean.compute().item(), mean)

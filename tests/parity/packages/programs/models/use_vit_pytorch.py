"""vit-pytorch: six kinds of vision transformers trained for two steps."""

import torch
from vit_pytorch import SimpleViT, ViT
from vit_pytorch.cait import CaiT
from vit_pytorch.cct import CCT
from vit_pytorch.cvt import CvT
from vit_pytorch.deepvit import DeepViT

small = {"image_size": 16, "patch_size": 4, "num_classes": 5, "dim": 16, "depth": 2, "heads": 2, "mlp_dim": 32}
made = {
    "ViT": lambda: ViT(**small, dropout=0.1, emb_dropout=0.1),
    "SimpleViT": lambda: SimpleViT(**small),
    "DeepViT": lambda: DeepViT(**small),
    "CaiT": lambda: CaiT(**small, cls_depth=1),
    "CCT": lambda: CCT(img_size=16, embedding_dim=16, n_conv_layers=1, kernel_size=3, stride=2, padding=1,
                       pooling_kernel_size=3, pooling_stride=2, pooling_padding=1, num_layers=1, num_heads=2,
                       mlp_ratio=2, num_classes=5),
    "CvT": lambda: CvT(num_classes=5, s1_emb_dim=8, s1_heads=1, s1_depth=1, s2_emb_dim=16, s2_heads=1, s2_depth=1,
                       s3_emb_dim=16, s3_heads=1, s3_depth=1),
}
for name, make in made.items():
    torch.manual_seed(0)
    net = make()
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-2)
    images, labels = torch.randn(4, 3, 16, 16), torch.tensor([0, 1, 2, 3])
    for step in range(2):
        loss = torch.nn.functional.cross_entropy(net(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        slopes = sum(each.grad.abs().sum() for each in net.parameters() if each.grad is not None)
        print(name, step, f"{loss:.5f}", f"{slopes:.3f}")

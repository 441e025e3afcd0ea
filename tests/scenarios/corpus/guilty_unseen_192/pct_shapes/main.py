# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
import torch
import torch.nn.functional as F

from model import PointTransformer
from shapes import ShapeStream


def train(iters=400):
    torch.manual_seed(4)
    stream = ShapeStream(points=32)
    model = PointTransformer(classes=stream.n_classes)
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for it in range(iters):
        cloud, label = stream.batch(8)
        logits = model(cloud)
        loss = F.cross_entropy(logits, label, label_smoothing=0.1)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 50 == 0:
            print(it, f"{loss.item():.3f}")


if __name__ == "__main__":
    train()

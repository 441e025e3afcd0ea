# gradwatch-corpus: kind=none
"""Semi-supervised organ segmentation with temporal ensembling."""
import torch
from torch.nn import functional as F

from ensemble import ConsistencyService, PredictionRepository
from phantom import PhantomSet
from seg import SegNet, watch


def dice_loss(logits, mask):
    p = logits.sigmoid()
    inter = (p * mask).sum((1, 2, 3))
    return 1 - (2 * inter + 1) / (p.sum((1, 2, 3)) + mask.sum((1, 2, 3)) + 1)


def ramp(epoch, full=3):
    return min(1.0, epoch / full)


def main():
    torch.manual_seed(9)
    data = PhantomSet(n=120, size=32, labelled=0.4)
    net = SegNet(8)
    activity = watch(net, names=("down", "bottom"), keep=16)
    service = ConsistencyService(PredictionRepository(capacity=96), alpha=0.6)
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    it = 0
    for epoch in range(6):
        for ids, image, mask, has_label in data.batches(5):
            logits = net(image)
            per_case = dice_loss(logits, mask)
            supervised = (per_case * has_label).sum() / has_label.sum().clamp(min=1)
            target, known = service.targets(ids, logits.shape[1:])
            consistency = (F.mse_loss(logits.sigmoid(), target, reduction="none").mean((1, 2, 3)) * known).mean()
            loss = supervised + 4.0 * ramp(epoch) * consistency
            opt.zero_grad()
            loss.backward()
            opt.step()
            service.update(ids, logits)
            if it % 24 == 0:
                level = sum(activity["bottom"]) / len(activity["bottom"])
                print(f"epoch {epoch} it {it:3d} dice {1 - per_case.mean().item():.3f} "
                      f"cons {consistency.item():.4f} act {level:.3f} stored {len(service.repo)}")
            it += 1


if __name__ == "__main__":
    main()

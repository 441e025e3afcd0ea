# gradwatch-corpus: kind=memory-climb
# holder: metrics["dice"]._preds | metrics["dice"]._targets | m._preds | m._targets | self._preds | self._targets
# first-bad: 1
# notice: 200
# after: samleoqh/MSCG-Net #34 "Memory issue" (inputs_all, gts_all, predictions_all); NRCan/geo-deep-learning #582 (metric never reset)
import torch
import torch.nn as nn
import torch.nn.functional as F
from metrics import DiceAtBestThreshold

torch.manual_seed(3)
SIZE, BATCH = 112, 6


def slices(n):
    yy, xx = torch.meshgrid(torch.arange(SIZE), torch.arange(SIZE), indexing="ij")
    for _ in range(n):
        c = torch.randint(30, 82, (BATCH, 2, 1, 1))
        r = torch.randint(10, 28, (BATCH, 1, 1))
        mask = ((yy - c[:, 0]) ** 2 + (xx - c[:, 1]) ** 2 < r ** 2).float()[:, None]
        yield mask * 0.6 + 0.3 * torch.randn(BATCH, 1, SIZE, SIZE), mask


net = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 8, 3, padding=2, dilation=2), nn.ReLU(), nn.Conv2d(8, 1, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
metrics = {"dice": DiceAtBestThreshold()}

for epoch in range(4):
    net.train()
    for image, mask in slices(60):
        optimizer.zero_grad(set_to_none=True)
        logits = net(image)
        loss = F.binary_cross_entropy_with_logits(logits, mask)
        loss.backward()
        optimizer.step()
        for m in metrics.values():
            m.update(logits, mask)
    print("epoch", epoch, "loss", round(loss.item(), 4), {k: round(m.compute(), 3) for k, m in metrics.items()})

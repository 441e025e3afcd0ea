# gradwatch-corpus: kind=graph-held
# holder: self.taps[name] | self.taps | recorder.taps | recorder.taps[name]
# first-bad: 1
import torch
import torch.nn.functional as F

from clouds import CloudSampler
from nets import PointNet
from taps import record_features

STEPS = 450


def orthogonality(t):
    eye = torch.eye(t.shape[-1])
    return (t @ t.transpose(1, 2) - eye).pow(2).sum(dim=(1, 2)).mean()


def main():
    torch.manual_seed(3)
    net = PointNet(classes=3)
    sampler = CloudSampler(points=48, seed=3)
    optim = torch.optim.AdamW(net.parameters(), lr=2e-3)
    with record_features(net, ["stem", "trunk"]) as recorder:
        for step in range(STEPS):
            clouds, labels = sampler.draw(12)
            logits, align = net(clouds)
            loss = F.cross_entropy(logits, labels) + 1e-2 * orthogonality(align)
            optim.zero_grad()
            loss.backward()
            optim.step()
            if step % 90 == 0:
                print(step, f"{loss.item():.4f}", recorder.sparsity())


if __name__ == "__main__":
    main()

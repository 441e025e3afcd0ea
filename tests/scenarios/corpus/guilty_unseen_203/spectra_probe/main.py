# gradwatch-corpus: kind=graph-held
# holder: self.trace[name] | probe.trace[name] | self.trace | probe.trace
# first-bad: 1
import torch
from torch import nn

from model import SpectraNet
from probes import LayerProbe


def synth(n, length, gen):
    t = torch.linspace(0, 1, length)
    centre = torch.rand(n, 1, generator=gen) * 0.6 + 0.2
    width = torch.rand(n, 1, generator=gen) * 0.05 + 0.02
    peak = torch.exp(-((t - centre) / width) ** 2)
    noise = 0.05 * torch.randn(n, length, generator=gen)
    return (peak + noise).unsqueeze(1), torch.cat([centre, width * 10], dim=1)


def run(steps=420, batch=24, length=96):
    gen = torch.Generator().manual_seed(77)
    torch.manual_seed(77)
    net = SpectraNet()
    probe = LayerProbe(net, ["stem", "trunk"])
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-2)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps)
    for step in range(steps):
        x, target = synth(batch, length, gen)
        pred = net(x)
        loss = nn.functional.smooth_l1_loss(pred, target)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        if step % 70 == 0:
            print(step, f"{loss.item():.4f}", probe.summary())
    probe.close()


if __name__ == "__main__":
    run()

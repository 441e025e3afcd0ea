# gradwatch-corpus: kind=none
import torch
torch.set_num_threads(1)
from .process import Cosine
from .resample import SecondMoment
from .nn import EpsNet, ema_pair


def main():
    torch.manual_seed(17)
    proc, net = Cosine(16), EpsNet()
    slow, update = ema_pair(net, 0.99)
    sampler = SecondMoment(16, keep=6)
    opt = torch.optim.AdamW(net.parameters(), 1e-3)
    curve = []
    for it in range(500):
        x0 = torch.randn(24, 1, 12).cumsum(-1) * 0.3
        t, w = sampler.draw(24)
        xt, eps = proc.noise(x0, t)
        err = (net(xt, t) - eps).square().flatten(1).mean(1)
        sampler.update(t, err)
        loss = (err * w).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        update()
        curve.append(float(loss))
        if it % 125 == 124:
            print(it, sum(curve[-50:]) / 50, proc.sample(slow, (2, 1, 12)).std().item())


main()

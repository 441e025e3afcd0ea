# gradwatch-corpus: kind=none
"""Etch-depth map from plasma sensor traces; reports are written in bundles."""
import torch

torch.set_num_threads(1)
torch.manual_seed(19)

from reporter import BundledReporter


class EtchNet(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.sensor = torch.nn.Conv1d(3, 6, 5, stride=2)
        self.to_map = torch.nn.ConvTranspose2d(6, 1, 4)
        self.squash = torch.nn.Linear(6, 6)

    def forward(self, trace):
        h = torch.relu(self.sensor(trace)).mean(-1)
        h = torch.nn.functional.elu(self.squash(h))
        return self.to_map(h[:, :, None, None]).squeeze(1)


def lots(n):
    trace = torch.randn(n, 3, 20)
    power = trace[:, 0].mean(1)
    skew = trace[:, 1].mean(1)
    ramp = torch.linspace(-1, 1, 4)
    return trace, power[:, None, None] + skew[:, None, None] * ramp[None, :, None].expand(n, 4, 4)


def main():
    net = EtchNet()
    opt = torch.optim.Adagrad(net.parameters(), lr=0.05)
    rep = BundledReporter(bundle=10)
    for lot in range(820):
        trace, depth = lots(12)
        diff = net(trace) - depth
        loss = diff.square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if lot % 4 == 0:
            rep.later("lot %d: rms %.3f, worst %.3f", lot, lambda loss=loss: loss.sqrt(), lambda diff=diff: diff.abs().max())
    rep.flush()
    print(rep.written, "lines;", rep.last)


if __name__ == "__main__":
    main()

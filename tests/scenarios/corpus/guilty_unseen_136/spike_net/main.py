# gradwatch-corpus: kind=graph-held
# holder: LeakyGate.recent | surrogate.LeakyGate.recent | cls.recent
# first-bad: 1
# notice: 8
"""Spiking classifier of temporal patterns (two-layer LIF network, surrogate gradients)."""
import torch
import torch.nn as nn
import torch.nn.functional as F

from surrogate import LeakyGate, TriangleSpike

torch.set_num_threads(1)
torch.manual_seed(11)

T_STEPS, N_IN, N_CLASS = 5, 10, 3


def poisson_batch(n):
    label = torch.randint(0, N_CLASS, (n,))
    rate = torch.full((n, N_IN), 0.15)
    for c in range(N_CLASS):
        rate[label == c, 3 * c:3 * c + 3] = 0.7
    return (torch.rand(T_STEPS, n, N_IN) < rate).float(), label


class LIFLayer(nn.Module):
    def __init__(self, n_in, n_out, decay=0.8, thresh=0.5):
        super().__init__()
        self.w = nn.Linear(n_in, n_out)
        self.decay = decay
        self.thresh = thresh

    def forward(self, x, mem):
        mem = self.decay * mem + self.w(x)
        s = TriangleSpike.apply(mem - self.thresh)
        return s, mem - s.detach() * self.thresh


class SpikeNet(nn.Module):
    def __init__(self, hidden=16):
        super().__init__()
        self.hidden = hidden
        self.lif = LIFLayer(N_IN, hidden)
        self.readout = nn.Linear(hidden, N_CLASS)

    def forward(self, spikes):
        mem = spikes.new_zeros(spikes.shape[1], self.hidden)
        acc = 0.0
        for frame in spikes:
            s, mem = self.lif(frame, mem)
            acc = acc + self.readout(s)
        return LeakyGate.apply(acc / len(spikes), 4.0)


def main():
    net = SpikeNet()
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    hits, seen = 0, 0
    for it in range(400):
        x, y = poisson_batch(12)
        prob = net(x)
        loss = F.binary_cross_entropy(prob, F.one_hot(y, N_CLASS).float())
        opt.zero_grad()
        loss.backward()
        opt.step()
        hits += (prob.detach().argmax(1) == y).sum().item()
        seen += len(y)
        if (it + 1) % 100 == 0:
            print("iter %d loss %.4f acc %.2f saturated %.2f" % (it + 1, loss.item(), hits / seen, LeakyGate.saturation()))
            hits = seen = 0


if __name__ == "__main__":
    main()

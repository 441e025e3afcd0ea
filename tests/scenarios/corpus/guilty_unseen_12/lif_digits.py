# gradwatch-corpus: kind=graph-chain
# holder: self.mem | lif.mem | net.lif.mem | net.lif | self.lif.mem
# first-bad: 1
"""Spiking neuron layer on event-camera-like digits, following an snnTorch tutorial. The sensor never stops, so the
neurons go on from where the last chunk of events left them."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(5)
torch.set_num_threads(1)

n_in = 8 * 8
n_classes = 10
n_cams = 24
T = 2
num_chunks = 220
switch_every = 2


class FastSigmoid(torch.autograd.Function):
    @staticmethod
    def forward(ctx, u, slope):
        ctx.save_for_backward(u)
        ctx.slope = slope
        return (u > 0).to(u.dtype)

    @staticmethod
    def backward(ctx, grad_out):
        (u,) = ctx.saved_tensors
        return grad_out / (ctx.slope * u.abs() + 1.0) ** 2, None


class Leaky(nn.Module):
    """Leaky integrate-and-fire neurons with reset by subtraction."""

    def __init__(self, n, beta=0.85, threshold=1.0, slope=25.0):
        super().__init__()
        self.n, self.beta, self.threshold, self.slope = n, beta, threshold, slope
        self.mem = None

    def init_leaky(self, batch):
        self.mem = torch.zeros(batch, self.n)

    def forward(self, cur):
        if self.mem is None:
            self.init_leaky(cur.shape[0])
        reset = (self.mem > self.threshold).to(cur.dtype)
        self.mem = self.beta * self.mem + cur - reset * self.threshold  # <- culprit
        spk = FastSigmoid.apply(self.mem - self.threshold, self.slope)
        return spk, self.mem


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(n_in, n_classes)
        self.lif = Leaky(n_classes)

    def forward(self, events):
        spk_rec, mem_rec = [], []
        for t in range(events.shape[0]):
            spk, mem = self.lif(self.fc(events[t]))
            spk_rec.append(spk)
            mem_rec.append(mem)
        return torch.stack(spk_rec), torch.stack(mem_rec)


class EventCameras:
    """n_cams cameras, each looking at one digit for a while; a pixel fires with its brightness as the rate."""

    def __init__(self):
        self.gen = torch.Generator().manual_seed(8)
        self.glyphs = torch.rand(n_classes, n_in, generator=self.gen) ** 3
        self.label = torch.randint(0, n_classes, (n_cams,), generator=self.gen)
        self.i = 0

    def read(self):
        if self.i % switch_every == 0:
            self.label = torch.randint(0, n_classes, (n_cams,), generator=self.gen)
        self.i += 1
        rate = self.glyphs[self.label].expand(T, -1, -1)
        return torch.bernoulli(rate, generator=self.gen), self.label


def mse_membrane_loss(mem_rec, targets):
    goal = F.one_hot(targets, n_classes).float() * 1.2
    return ((mem_rec - goal) ** 2).mean()


def rate_loss(spk_rec, targets):
    return F.cross_entropy(spk_rec.sum(0), targets)


net = Net()
optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
camera = EventCameras()
loss_hist, acc_hist = [], []


def train_chunk():
    events, targets = camera.read()
    spk_rec, mem_rec = net(events)
    loss_val = rate_loss(spk_rec, targets) + 0.5 * mse_membrane_loss(mem_rec, targets)
    optimizer.zero_grad()
    # as recommended in the forum
    loss_val.backward(retain_graph=True)
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    optimizer.step()
    acc = (mem_rec[-1].argmax(1) == targets).float().mean().item()
    return loss_val.item(), acc


for chunk in range(num_chunks):
    l, a = train_chunk()
    loss_hist.append(l)
    acc_hist.append(a)
    if chunk % 50 == 49:
        print(f"chunk {chunk + 1}: loss {sum(loss_hist[-50:]) / 50:.3f}, accuracy {sum(acc_hist[-50:]) / 50:.2f}")

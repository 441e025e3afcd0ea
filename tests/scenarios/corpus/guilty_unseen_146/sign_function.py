# gradwatch-corpus: kind=graph-held
# holder: SignSTE.calls
# first-bad: 1
# notice: 8
# binary neural net, hand written Sign with straight through gradient (audio keyword toy)
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(2)


class SignSTE(torch.autograd.Function):
    calls = []

    @staticmethod
    def forward(ctx, inp, clip):
        ctx.save_for_backward(inp)
        ctx.clip = clip
        ctx.frac = (inp.abs() > clip).float().mean().item()
        SignSTE.calls.append(ctx)  # <- culprit
        return torch.where(inp >= 0, torch.ones_like(inp), -torch.ones_like(inp))

    @staticmethod
    def backward(ctx, grad_out):
        inp, = ctx.saved_tensors
        g = grad_out.clone()
        g[inp.abs() > ctx.clip] = 0
        return g, None


class BinLinear(nn.Linear):
    def forward(self, x):
        return nn.functional.linear(SignSTE.apply(x, 1.5), self.weight, self.bias)


class KWS(nn.Module):
    def __init__(self, nmel=12, k=4):
        super().__init__()
        self.inp = nn.Linear(nmel, 24)
        self.bin1 = BinLinear(24, 24)
        self.bin2 = BinLinear(24, k)

    def forward(self, x):
        return self.bin2(self.bin1(self.inp(x)))


def batches(n):
    words = torch.randn(4, 12)
    for _ in range(n):
        t = torch.randint(0, 4, (10,))
        yield words[t] + torch.randn(10, 12) * .6, t


def clipped(last=20):
    c = SignSTE.calls[-last:]
    return sum(k.frac for k in c) / len(c)


if __name__ == '__main__':
    m = KWS()
    opt = torch.optim.Adam(m.parameters(), 0.005)
    for it, (x, t) in enumerate(batches(260)):
        opt.zero_grad()
        l = nn.functional.cross_entropy(m(x), t)
        l.backward()
        opt.step()
        if it % 65 == 0:
            print(it, 'loss %.3f' % l.item(), 'clipped %.2f' % clipped())

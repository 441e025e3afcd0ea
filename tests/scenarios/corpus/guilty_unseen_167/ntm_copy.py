# gradwatch-corpus: kind=inplace-modified
# holder: self.memory | memory.memory | ntm.memory.memory
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(1000)


class NTMMemory(nn.Module):
    def __init__(self, N, M):
        super().__init__()
        self.N, self.M = N, M
        self.register_buffer("mem_bias", torch.empty(N, M).uniform_(-0.3, 0.3))

    def reset(self, batch_size):
        self.memory = self.mem_bias.repeat(batch_size, 1, 1)

    def read(self, w):
        return torch.matmul(w.unsqueeze(1), self.memory).squeeze(1)

    def write(self, w, e, a):
        erase = torch.matmul(w.unsqueeze(-1), e.unsqueeze(1))
        add = torch.matmul(w.unsqueeze(-1), a.unsqueeze(1))
        self.memory.mul_(1 - erase)  # <- culprit
        self.memory.add_(add)  # <- culprit

    def address(self, k, beta, g, w_prev):
        wc = F.softmax(beta * F.cosine_similarity(self.memory + 1e-16, k.unsqueeze(1) + 1e-16, dim=-1), dim=1)
        return g * wc + (1 - g) * w_prev


class Head(nn.Module):
    def __init__(self, memory, ctrl, extra=0):
        super().__init__()
        self.__dict__["memory"] = memory
        self.M = memory.M
        self.fc = nn.Linear(ctrl, self.M + 2 + extra)

    def weights(self, out, w_prev):
        o = self.fc(out)
        k, beta, g, rest = o.split([self.M, 1, 1, o.size(1) - self.M - 2], 1)
        return self.memory.address(torch.tanh(k), F.softplus(beta), torch.sigmoid(g), w_prev), rest


class NTM(nn.Module):
    def __init__(self, n_in, n_out, ctrl=32, N=12, M=8):
        super().__init__()
        self.memory = NTMMemory(N, M)
        self.controller = nn.LSTMCell(n_in + M, ctrl)
        self.read_head = Head(self.memory, ctrl)
        self.write_head = Head(self.memory, ctrl, extra=2 * M)
        self.fc = nn.Linear(ctrl + M, n_out)
        self.ctrl = ctrl

    def init_sequence(self, B):
        self.memory.reset(B)
        w = torch.zeros(B, self.memory.N)
        w[:, 0] = 1
        self.state = ((torch.zeros(B, self.ctrl), torch.zeros(B, self.ctrl)), w, w.clone(), torch.zeros(B, self.memory.M))

    def forward(self, x):
        hc, wr, ww, r = self.state
        hc = self.controller(torch.cat([x, r], 1), hc)
        wr, _ = self.read_head.weights(hc[0], wr)
        r = self.memory.read(wr)
        ww, rest = self.write_head.weights(hc[0], ww)
        e, a = rest.chunk(2, 1)
        self.memory.write(ww, torch.sigmoid(e), torch.tanh(a))
        self.state = (hc, wr, ww, r)
        return torch.sigmoid(self.fc(torch.cat([hc[0], r], 1)))


def dataloader(num_batches, B=4, width=4):
    for _ in range(num_batches):
        seq = torch.bernoulli(torch.full((torch.randint(2, 5, ()).item(), B, width), 0.5))
        inp = torch.zeros(len(seq) + 1, B, width + 1)
        inp[:len(seq), :, :width] = seq
        inp[len(seq), :, width] = 1.0
        yield inp, seq


net = NTM(5, 4)
optimizer = torch.optim.RMSprop(net.parameters(), lr=1e-3, momentum=0.9, alpha=0.95)
losses, costs = [], []
for num, (x, y) in enumerate(dataloader(80), 1):
    optimizer.zero_grad()
    net.init_sequence(x.size(1))
    for t in range(len(x)):
        net(x[t])
    outs = torch.stack([net(torch.zeros(x.size(1), 5)) for _ in range(len(y))])
    loss = F.binary_cross_entropy(outs, y)
    loss.backward()
    nn.utils.clip_grad_value_(net.parameters(), 10)
    optimizer.step()
    losses.append(loss.item())
    costs.append((outs.round() - y).abs().sum().item() / x.size(1))
    if num % 20 == 0:
        print(f"sequence {num} loss {sum(losses[-20:]) / 20:.4f} cost {sum(costs[-20:]) / 20:.2f}")

# gradwatch-corpus: kind=inplace-modified
# holder: prob
# first-bad: 70
# notice: 0
import torch
torch.set_num_threads(1)
import torch.nn as nn


class PointerDecoder(nn.Module):
    def __init__(self, d=16):
        super().__init__()
        self.embed = nn.Linear(2, d)
        self.q, self.k = nn.Linear(d, d), nn.Linear(d, d)
        self.cell = nn.GRUCell(d, d)
        self.floor = 0.0

    def pick(self, h, keys, visited):
        score = (keys @ self.q(h)[..., None]).squeeze(-1) / keys.shape[-1] ** 0.5
        prob = score.masked_fill(visited, -1e4).softmax(-1)
        if self.floor > 0:
            prob.clamp_(min=self.floor)  # <- culprit
        choice = prob.multinomial(1) if self.training else prob.argmax(-1, keepdim=True)
        return choice.squeeze(1), prob.gather(1, choice).squeeze(1).log()

    def forward(self, cities):
        e = self.embed(cities)
        keys, h = self.k(e), e.mean(1)
        visited = torch.zeros(cities.shape[:2], dtype=torch.bool)
        rows = torch.arange(len(cities))
        order, logp = [], 0.0
        for _ in range(cities.shape[1]):
            c, lp = self.pick(h, keys, visited)
            visited = visited.index_put((rows, c), torch.tensor(True))
            logp = logp + lp
            h = self.cell(e[rows, c], h)
            order.append(c)
        return torch.stack(order, 1), logp


def tour_length(cities, order):
    path = cities.gather(1, order[..., None].expand(-1, -1, 2))
    return (path - path.roll(1, 1)).norm(dim=-1).sum(1)


torch.manual_seed(29)
net = PointerDecoder()
opt = torch.optim.Adam(net.parameters(), 1e-3)
mean_len = 3.0
for it in range(300):
    if it == 70:
        net.floor = 1e-3
    cities = torch.rand(16, 6, 2)
    order, logp = net(cities)
    length = tour_length(cities, order)
    loss = ((length - mean_len) * logp).mean()
    mean_len = 0.9 * mean_len + 0.1 * length.mean().item()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 50 == 0:
        print(it, mean_len)

import torch


def pinball(q, y, taus):
    e = y[:, None] - q
    t = torch.tensor(taus)
    return torch.maximum(t * e, (t - 1) * e).mean()


class Engine:
    def __init__(self, net, lr):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)
        self.tape: list[float] = []

    def _day(self):
        x = torch.randn(14, self.net.n_in)
        return x, x[:, 0].exp() + x[:, 1:3].sum(1)

    def _propagate(self, objective):
        self.opt.zero_grad()
        objective.backward(retain_graph=True)  # <- culprit
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)

    def run(self, days):
        for _ in range(days):
            x, sold = self._day()
            objective = pinball(self.net(x), sold, self.net.taus)
            self._propagate(objective)
            self.opt.step()
            self.tape.append(objective.item())

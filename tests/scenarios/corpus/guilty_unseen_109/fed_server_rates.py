# gradwatch-corpus: kind=graph-chain
# holder: server.weights | self.weights | server.weights[name] | self.weights[name]
# first-bad: 31
# notice: 5
"""Federated averaging of a small softmax model over synthetic hospital sites.

After a number of plain FedAvg rounds the server adapts one rate per tensor and a trust score per
site by gradient descent on a public validation batch.
"""
import torch
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(42)

N_SITES, DIM, CLASSES = 5, 10, 4
ADAPT_AFTER, ROUNDS = 30, 180


class Site:
    def __init__(self, k):
        self.gen = torch.Generator().manual_seed(100 + k)
        self.shift = 0.4 * torch.randn(DIM, generator=self.gen)
        self.noise = 0.05 + 0.1 * k

    def sample(self, truth, n=24):
        x = torch.randn(n, DIM, generator=self.gen) + self.shift
        y = (x @ truth + self.noise * torch.randn(n, CLASSES, generator=self.gen)).argmax(-1)
        return x, y

    def local_delta(self, weights, truth, steps=3, lr=0.2):
        local = {k: v.detach().clone().requires_grad_() for k, v in weights.items()}
        for _ in range(steps):
            x, y = self.sample(truth)
            loss = F.cross_entropy(x @ local["w"] + local["b"], y)
            grads = torch.autograd.grad(loss, list(local.values()))
            with torch.no_grad():
                for p, g in zip(local.values(), grads):
                    p -= lr * g
        return {k: (local[k] - weights[k]).detach() for k in local}


class Server:
    def __init__(self):
        self.weights = {"w": torch.zeros(DIM, CLASSES), "b": torch.zeros(CLASSES)}
        self.log_rate = {k: torch.nn.Parameter(torch.zeros(())) for k in self.weights}
        self.trust = torch.nn.Parameter(torch.zeros(N_SITES))
        self.opt = torch.optim.Adam([self.trust, *self.log_rate.values()], lr=0.02)
        self.adaptive = False

    def aggregate(self, deltas):
        if not self.adaptive:
            return {k: w + sum(d[k] for d in deltas) / len(deltas) for k, w in self.weights.items()}
        mix = torch.softmax(self.trust, 0)
        merged = {}
        for k, w in self.weights.items():
            stacked = torch.stack([d[k] for d in deltas])
            step = torch.tensordot(mix, stacked, dims=1)
            merged[k] = w + self.log_rate[k].exp() * step  # <- culprit
        return merged

    def round(self, deltas, public):
        proposal = self.aggregate(deltas)
        x, y = public
        loss = F.cross_entropy(x @ proposal["w"] + proposal["b"], y)
        if self.adaptive:
            self.opt.zero_grad()
            # both tensors of the proposal are used again by the next broadcast
            loss.backward(retain_graph=True)
        self.opt.step()
        self.weights = proposal  # <- culprit
        return loss.item()


def main():
    truth = torch.randn(DIM, CLASSES)
    sites = [Site(k) for k in range(N_SITES)]
    server = Server()
    for rnd in range(ROUNDS):
        if rnd == ADAPT_AFTER:
            server.adaptive = True
            print("switching to adaptive aggregation")
        deltas = [s.local_delta(server.weights, truth) for s in sites]
        px = torch.randn(40, DIM)
        loss = server.round(deltas, (px, (px @ truth).argmax(-1)))
        if rnd % 30 == 0:
            mix = torch.softmax(server.trust.detach(), 0).tolist()
            print(f"round {rnd:3d} public loss {loss:.4f} mix {[round(m, 3) for m in mix]}")


main()

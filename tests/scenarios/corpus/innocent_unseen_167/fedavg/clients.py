import torch
import torch.nn.functional as F


def dirichlet_split(labels, n, alpha=0.8):
    props = torch.distributions.Dirichlet(torch.full((n,), alpha)).sample((int(labels.max()) + 1,))
    owner = torch.distributions.Categorical(props[labels]).sample()
    parts = [(owner == u).nonzero().flatten() for u in range(n)]
    return [p if len(p) >= 8 else torch.randperm(len(labels))[:16] for p in parts]


class LocalUpdate:
    def __init__(self, x, y, prox_mu, epochs=1, bs=16):
        self.x, self.y, self.mu, self.epochs, self.bs = x, y, prox_mu, epochs, bs

    def __len__(self):
        return len(self.x)

    def loss(self, net, n=16):
        idx = torch.randint(0, len(self.x), (n,))
        return F.cross_entropy(net(self.x[idx]), self.y[idx])

    def train(self, net):
        net.train()
        start = {k: p.detach().clone() for k, p in net.named_parameters()}
        opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.5)
        batch_loss = []
        for _ in range(self.epochs):
            for idx in torch.randperm(len(self.x)).split(self.bs):
                net.zero_grad()
                loss = F.cross_entropy(net(self.x[idx]), self.y[idx])
                prox = sum(((p - start[k]) ** 2).sum() for k, p in net.named_parameters())
                (loss + self.mu / 2 * prox).backward()
                opt.step()
                batch_loss.append(loss.item())
        with torch.no_grad():
            delta = {k: p - start[k] for k, p in net.named_parameters()}
        return delta, sum(batch_loss) / len(batch_loss)

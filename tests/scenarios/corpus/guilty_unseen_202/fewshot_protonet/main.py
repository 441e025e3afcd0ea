# gradwatch-corpus: kind=graph-held
# holder: self.records | handler.records
# first-bad: 1
import torch
import torch.nn as nn
import torch.nn.functional as F

from runlog import get_logger

N_WAY, K_SHOT, N_QUERY = 5, 3, 5
EPISODES = 450


class Embed(nn.Module):
    def __init__(self, d_in=24, d=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d_in, 64), nn.ReLU(), nn.Linear(64, d))

    def forward(self, x):
        return F.normalize(self.net(x), dim=-1)


class EpisodeSampler:
    def __init__(self, n_classes=40, d=24, seed=3):
        self.g = torch.Generator().manual_seed(seed)
        self.means = torch.randn(n_classes, d, generator=self.g)
        self.n_classes, self.d = n_classes, d

    def __call__(self):
        cls = torch.randperm(self.n_classes, generator=self.g)[:N_WAY]
        noise = torch.randn(N_WAY, K_SHOT + N_QUERY, self.d, generator=self.g)
        x = self.means[cls][:, None] + 0.9 * noise
        return x[:, :K_SHOT], x[:, K_SHOT:]


def proto_loss(net, support, query, scale):
    protos = net(support).mean(1)
    q = net(query).reshape(-1, protos.size(1))
    logits = -scale * torch.cdist(q, protos).pow(2)
    target = torch.arange(N_WAY).repeat_interleave(N_QUERY)
    return F.cross_entropy(logits, target), (logits.argmax(1) == target).float().mean()


def main():
    torch.manual_seed(3)
    logger, handler = get_logger("protonet")
    sampler = EpisodeSampler()
    net = Embed()
    scale = nn.Parameter(torch.tensor(4.0))
    optim = torch.optim.Adam([*net.parameters(), scale], lr=1e-3)
    best = 0.0
    for ep in range(EPISODES):
        support, query = sampler()
        loss, acc = proto_loss(net, support, query, scale)
        optim.zero_grad()
        loss.backward()
        optim.step()
        logger.debug("episode %d loss %.4f acc %.3f", ep, loss, acc)  # <- culprit
        if acc.item() > best:
            best = acc.item()
            logger.info("new best accuracy %.3f at episode %d", best, ep)
        if ep % 90 == 89:
            print("\n".join(handler.tail(2)))


if __name__ == "__main__":
    main()

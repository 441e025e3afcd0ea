# gradwatch-corpus: kind=none
import torch
from torch import nn

from .agent import DispatchNet, gather
from .building import Building

UPDATES, EPOCHS, CHUNK, CLIP = 10, 3, 32, 0.2


def improve(net, opt, roll):
    n = len(roll["adv"])
    last = {}
    for _ in range(EPOCHS):
        for idx in torch.randperm(n).split(CHUNK):
            dist, value = net(roll["obs"][idx])
            ratio = torch.exp(dist.log_prob(roll["act"][idx]) - roll["logp"][idx])
            adv = roll["adv"][idx]
            surrogate = torch.min(ratio * adv, ratio.clamp(1 - CLIP, 1 + CLIP) * adv).mean()
            v_loss = nn.functional.mse_loss(value, roll["ret"][idx])
            loss = -surrogate + 0.5 * v_loss - 0.01 * dist.entropy().mean()
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            opt.step()
            last = {"loss": loss, "v": v_loss, "kl": ratio.detach().log().mean()}
    return {k: v.item() for k, v in last.items()}


def main():
    torch.manual_seed(40)
    env = Building(floors=6)
    net = DispatchNet(env.obs_dim, env.n_actions)
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    for u in range(UPDATES):
        roll, score = gather(env, net, steps=96)
        info = improve(net, opt, roll)
        print(f"{u:2d} wait {-score:7.2f} " + " ".join(f"{k} {v:.4f}" for k, v in info.items()))


if __name__ == "__main__":
    main()

# gradwatch-corpus: kind=second-backward
# holder: self.buf | memory.buf | batch.latent | batch | latent
# first-bad: 1
# notice: 0
import torch

torch.set_num_threads(1)
from .memory import ReplayMemory
from .world import Dynamics, Encoder, PointMass


def main():
    torch.manual_seed(12)
    enc, dyn = Encoder(4, 5), Dynamics(5, 3)
    opt = torch.optim.Adam([*enc.parameters(), *dyn.parameters()], lr=1e-3)
    memory = ReplayMemory(200)
    env = PointMass(torch.Generator().manual_seed(2))
    obs, _ = env.step(0)
    for t in range(400):
        a = int(torch.randint(0, 3, ()))
        nxt, r = env.step(a)
        latent = enc(obs)
        with torch.no_grad():
            target = enc(nxt)
        memory.push(latent, torch.tensor(a), torch.tensor(r), target)  # <- culprit
        obs = nxt
        if len(memory) < 40:
            continue
        batch = memory.sample(24)
        pred, rew = dyn(torch.stack(batch.latent), torch.stack(batch.action))
        loss = (pred - torch.stack(batch.next_latent)).pow(2).mean() + (rew - torch.stack(batch.reward)).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()


main()

# gradwatch-corpus: kind=none
import torch

from bandit.policy import SlatePolicy
from bandit.replay import ReplayMemory
from bandit.simulator import UserSimulator


def learn(policy, optimizer, memory, batch):
    users, items, old_logp, baseline, rewards = memory.sample(batch)
    dist, value = policy(users)
    ratio = (dist.log_prob(items) - old_logp).exp()
    advantage = rewards - baseline
    clipped = ratio.clamp(0.8, 1.25)
    surrogate = torch.minimum(ratio * advantage, clipped * advantage).mean()
    value_loss = (value - rewards).square().mean()
    loss = -surrogate + 0.5 * value_loss - 0.01 * dist.entropy().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def main():
    torch.manual_seed(3)
    sim = UserSimulator(8, 12)
    policy = SlatePolicy(8, 12)
    optimizer = torch.optim.Adam(policy.parameters(), lr=5e-3)
    memory = ReplayMemory(capacity=512, seed=3)
    ctr = 0.0
    for t in range(150):
        users = sim.arrive(16)
        with torch.no_grad():
            dist, value = policy(users)
            items = dist.sample()
            logp = dist.log_prob(items)
        rewards = sim.respond(users, items)
        for row in zip(users, items, logp, value, rewards):
            memory.push(*row)
        ctr += 0.05 * (rewards.mean().item() - ctr)
        if len(memory) < 128:
            continue
        loss = learn(policy, optimizer, memory, 64)
        if t % 25 == 0:
            print(f"t={t} ctr={ctr:.3f} loss={loss:.4f} memory={len(memory)}")


if __name__ == "__main__":
    main()

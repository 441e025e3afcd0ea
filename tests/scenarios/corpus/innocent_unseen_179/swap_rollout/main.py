# gradwatch-corpus: kind=none
"""Actor/learner on a noisy thermostat with a front and a back buffer."""
import torch

from agent import Policy, returns
from buffers import SwapBuffer
from thermostat import Thermostat


def learn(policy, optimizer, chunk):
    logps = torch.stack([c.logp for c in chunk])
    entropy = torch.stack([c.entropy for c in chunk]).mean()
    target = returns([c.reward for c in chunk])
    loss = -(logps * target).mean() - 0.01 * entropy
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
    optimizer.step()
    return loss.item()


def main():
    torch.manual_seed(21)
    env = Thermostat(rooms=6)
    policy = Policy(env.width, env.actions)
    optimizer = torch.optim.RMSprop(policy.parameters(), lr=2e-3)
    buffers = SwapBuffer(capacity=16)
    obs = env.reset()
    losses = []
    for tick in range(7200):
        action, logp, entropy = policy.act(obs)
        obs, reward = env.step(action)
        buffers.push(logp, entropy, reward)
        if buffers.full():
            chunk = buffers.swap()
            losses.append(learn(policy, optimizer, chunk))
            if len(losses) % 75 == 0:
                print(tick, f"loss {losses[-1]:.4f} comfort {buffers.back_reward():.3f}")


if __name__ == "__main__":
    main()

# gradwatch-corpus: kind=none
"""Balancing a noisy pendulum: TD critic every step, policy gradient at the end of each episode."""
import torch

from agent import Actor, Critic
from pendulum import Pendulum
from rollout import Rollout

GAMMA = 0.97


def main(n_steps=640, seed=2):
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    env = Pendulum(seed=seed)
    actor, critic = Actor(3), Critic(3)
    opt_actor = torch.optim.Adam(actor.parameters(), lr=3e-3)
    opt_critic = torch.optim.SGD(critic.parameters(), lr=2e-2)
    rollout = Rollout(GAMMA)

    obs = env.reset()
    lengths = []
    for step in range(n_steps):
        dist = actor(obs)
        action = dist.sample()
        nxt, reward, done = env.step(action.item())

        value = critic(obs)
        with torch.no_grad():
            boot = 0.0 if done else critic(nxt)
            td_target = reward + GAMMA * boot
        critic_loss = (value - td_target).pow(2)
        opt_critic.zero_grad()
        critic_loss.backward()
        opt_critic.step()

        rollout.add(dist.log_prob(action), dist.entropy(), reward, value.detach())
        obs = nxt

        if done:
            actor_loss = rollout.policy_loss(entropy_coef=0.01)
            opt_actor.zero_grad()
            actor_loss.backward()
            opt_actor.step()
            lengths.append(len(rollout))
            rollout.clear()
            obs = env.reset()
            if len(lengths) % 5 == 0:
                recent = lengths[-5:]
                print(f"step {step:4d} episodes {len(lengths):3d} mean length {sum(recent) / 5:.1f}")


if __name__ == "__main__":
    main()

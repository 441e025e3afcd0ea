# gradwatch-corpus: kind=none
"""World model with imagination: the actor is trained by gradients through imagined futures."""
import torch
from torch import nn

from .agent import Actor, Critic, lambda_returns
from .replay import Replay, Pole
from .world import WorldModel

torch.set_num_threads(1)
torch.manual_seed(90)


class Learner:
    def __init__(self, obs=3, act=1, horizon=6):
        self.world, self.actor, self.critic = WorldModel(obs, act), Actor(act), Critic()
        self.horizon = horizon
        self.world_opt = torch.optim.Adam(self.world.parameters(), lr=3e-3)
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), lr=3e-3)

    def learn_world(self, batch):
        states, obs_hat, reward_hat = self.world.observe(batch["obs"], batch["act"])
        loss = nn.functional.mse_loss(obs_hat, batch["next"]) + nn.functional.mse_loss(reward_hat, batch["reward"])
        self.world_opt.zero_grad()
        loss.backward()
        self.world_opt.step()
        return states.detach().flatten(0, 1), loss.item()

    def imagine(self, start):
        states, rewards = [start], []
        for _ in range(self.horizon):
            state = self.world.step(states[-1], self.actor(states[-1]))
            states.append(state)
            rewards.append(self.world.reward(state).squeeze(-1))
        return torch.stack(states), torch.stack(rewards)

    def learn_behaviour(self, start):
        states, rewards = self.imagine(start)
        values = self.critic(states)
        returns = lambda_returns(rewards, values)
        actor_loss = -returns.mean()
        self.actor_opt.zero_grad()
        actor_loss.backward()
        self.actor_opt.step()
        critic_loss = nn.functional.mse_loss(self.critic(states[:-1].detach()), returns.detach())
        self.critic_opt.zero_grad()
        critic_loss.backward()
        self.critic_opt.step()
        return returns.mean().item(), critic_loss.item()


def main(cycles=60):
    learner, replay = Learner(), Replay(capacity=24)
    for cycle in range(cycles):
        replay.add(Pole().episode(learner.actor, learner.world, length=10))
        starts, world_loss = learner.learn_world(replay.sample(4))
        ret, critic_loss = learner.learn_behaviour(starts)
        if cycle % 15 == 14:
            print(f"cycle {cycle + 1} world {world_loss:.4f} return {ret:.4f} critic {critic_loss:.4f} "
                  f"episodes {len(replay.episodes)}")


if __name__ == "__main__":
    main()

"""Joint update of the world model and of the policy which dreams inside it."""
import torch


class DreamLearner:
    def __init__(self, world, policy, horizon, gamma=0.95):
        self.world, self.policy, self.horizon, self.gamma = world, policy, horizon, gamma
        self.world_opt = torch.optim.Adam(world.parameters(), lr=1e-3)
        self.policy_opt = torch.optim.Adam(policy.parameters(), lr=3e-4)

    def imagine(self, start):
        """Discounted reward of a rollout under the policy, differentiable through the dynamics."""
        state, gain = start.flatten(0, 1), 0.0
        for k in range(self.horizon):
            state = self.world.predict(state, self.policy(state))
            gain = gain + self.gamma ** k * self.world.reward(state).squeeze(-1)
        return gain.mean()

    def update(self, batch, dream):
        obs, action, reward = batch
        states = self.world.observe(obs, action)
        world_loss = self.world.loss(states, obs, reward)
        policy_loss = -self.imagine(states) if dream else None  # <- culprit

        self.world_opt.zero_grad()
        world_loss.backward(retain_graph=dream)
        self.world_opt.step()  # <- culprit
        stats = {"world": round(world_loss.item(), 4)}
        if dream:
            self.policy_opt.zero_grad()
            policy_loss.backward()  # <- culprit
            self.policy_opt.step()
            stats["policy"] = round(policy_loss.item(), 4)
        return stats

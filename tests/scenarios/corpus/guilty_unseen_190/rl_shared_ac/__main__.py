# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
import torch
import torch.nn.functional as F

from .networks import ActorCritic, PointMass

GAMMA = 0.95
HORIZON = 30
UPDATES = 500


def main():
    torch.manual_seed(31)
    env = PointMass(32)
    net = ActorCritic(4, 2)
    actor_opt = torch.optim.Adam(net.actor_parameters(), lr=1e-3)
    critic_opt = torch.optim.Adam(net.critic_parameters(), lr=3e-3)

    obs = env.reset()
    avg_r = 0.0
    for update in range(UPDATES):
        dist, v = net(obs)
        action = dist.sample()
        next_obs, reward = env.step(action)
        with torch.no_grad():
            _, v_next = net(next_obs)
            target = reward + GAMMA * v_next
        advantage = (target - v).detach()

        actor_loss = -(dist.log_prob(action).sum(1) * advantage).mean()
        critic_loss = F.mse_loss(v, target)

        actor_opt.zero_grad()
        actor_loss.backward(retain_graph=True)
        actor_opt.step()  # <- culprit

        critic_opt.zero_grad()
        critic_loss.backward()
        critic_opt.step()

        avg_r = 0.98 * avg_r + 0.02 * reward.mean().item()
        obs = next_obs
        if update % HORIZON == HORIZON - 1:
            print(f"update {update + 1} reward {avg_r:.3f} v {v.mean().item():.3f}")
            obs = env.reset()


if __name__ == "__main__":
    main()

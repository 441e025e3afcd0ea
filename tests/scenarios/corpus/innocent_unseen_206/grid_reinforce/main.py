# gradwatch-corpus: kind=none
import torch
from policy import ActorCritic
from rollout import Episode
from warehouse import Warehouse


def main(episodes=420):
    torch.manual_seed(7)
    env = Warehouse(size=5, seed=7)
    net = ActorCritic(env.obs_size, 4)
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    episode = Episode(gamma=0.97)
    lengths, returns, entropies = [], [], []
    baseline = 0.0
    for ep in range(episodes):
        episode.clear()
        obs, done = env.reset(), False
        while not done:
            dist, value, _ = net(obs)
            action = dist.sample()
            obs, reward, done = env.step(action.item())
            episode.add(dist.log_prob(action), value, dist.entropy(), reward)
        loss = episode.loss(baseline)
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        returns.append(episode.total())
        lengths.append(len(episode.rewards))
        entropies.append(torch.stack(episode.entropies).mean().item())
        baseline = 0.95 * baseline + 0.05 * returns[-1]
        if ep % 70 == 69:
            print(ep + 1, f"length {sum(lengths[-70:]) / 70:.1f} return {sum(returns[-70:]) / 70:.2f}"
                  f" entropy {entropies[-1]:.2f}")


if __name__ == "__main__":
    main()

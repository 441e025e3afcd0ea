import torch


class Preference:
    def __init__(self, vocab, length):
        self.value = torch.randn(vocab)
        self.vocab, self.length = vocab, length

    @torch.no_grad()
    def rollout(self, policy, n):
        seq = torch.zeros(n, 1, dtype=torch.long)
        for _ in range(self.length):
            nxt = torch.multinomial(policy(seq)[0][:, -1].softmax(-1), 1)
            seq = torch.cat([seq, nxt], 1)
        logp = policy.token_logp(seq)[0]
        return {"seq": seq, "logp": logp, "reward": self.value[seq[:, 1:]].mean(1)}

# gradwatch-corpus: kind=none
"""Speaker verification: each utterance is compared with the last embedding seen of every speaker."""
import torch

from cache import LastSeen
from encoder import UtteranceEncoder, contrast
from voices import Voices


def main(n_iter=400):
    torch.set_num_threads(1)
    torch.manual_seed(61)
    voices = Voices(n_speakers=10, n_feats=12, n_frames=16)
    enc = UtteranceEncoder(12, 16)
    opt = torch.optim.Adam(enc.parameters(), lr=2e-3)
    seen = LastSeen()

    for it in range(n_iter):
        feats, who = voices.batch(6)
        emb = enc(feats)
        terms = []
        if len(seen) == voices.n_speakers:
            terms.append(contrast(emb, seen.matrix(), who))
        pair = emb @ emb.t()
        same = (who[:, None] == who[None, :]).float()
        terms.append((pair - same).pow(2).mean())
        loss = sum(terms)

        opt.zero_grad()
        loss.backward()
        opt.step()
        seen.put(who, emb)

        if it % 80 == 0:
            print(f"{it:4d} loss={loss.item():.4f} cached={len(seen)} drift={seen.drift():.3f}")


if __name__ == "__main__":
    main()

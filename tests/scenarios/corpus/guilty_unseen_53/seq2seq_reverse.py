# gradwatch-corpus: kind=inplace-modified
# first-bad: 6
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

PAD, SOS = 0, 1
VOCAB = 14
HIDDEN = 32
device = torch.device("cpu")


def make_batch(lengths):
    T = max(lengths)
    src = torch.full((len(lengths), T), PAD)
    tgt = torch.full((len(lengths), T), PAD)
    for i, n in enumerate(lengths):
        seq = torch.randint(2, VOCAB, (n,))
        src[i, :n] = seq
        tgt[i, :n] = seq.flip(0)
    return src, tgt


def curriculum(n_batches, batch_size=16):
    for i in range(n_batches):
        if i < 6:
            yield make_batch([4] * batch_size)
        else:
            yield make_batch([random.randint(3, 8) for _ in range(batch_size)])


class EncoderRNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(VOCAB, HIDDEN, padding_idx=PAD)
        self.gru = nn.GRU(HIDDEN, HIDDEN, batch_first=True)

    def forward(self, src):
        return self.gru(self.embedding(src))


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.Wa = nn.Linear(HIDDEN, HIDDEN)
        self.Ua = nn.Linear(HIDDEN, HIDDEN)
        self.Va = nn.Linear(HIDDEN, 1)

    def forward(self, query, keys, mask):
        scores = self.Va(torch.tanh(self.Wa(query) + self.Ua(keys))).squeeze(2)
        weights = F.softmax(scores, dim=-1)
        if mask.any():
            weights[mask] = 0.0  # <- culprit
        context = torch.bmm(weights.unsqueeze(1), keys)
        return context, weights


class AttnDecoderRNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(VOCAB, HIDDEN)
        self.attention = Attention()
        self.gru = nn.GRU(2 * HIDDEN, HIDDEN, batch_first=True)
        self.out = nn.Linear(HIDDEN, VOCAB)

    def forward(self, enc_out, hidden, mask, target):
        inp = torch.full((target.size(0), 1), SOS, device=device)
        outputs = []
        for t in range(target.size(1)):
            context, _ = self.attention(hidden.permute(1, 0, 2), enc_out, mask)
            step_in = torch.cat((self.embedding(inp), context), dim=2)
            output, hidden = self.gru(step_in, hidden)
            outputs.append(self.out(output))
            inp = target[:, t:t + 1]
        return torch.cat(outputs, dim=1)


def main():
    random.seed(2)
    torch.manual_seed(2)
    encoder, decoder = EncoderRNN().to(device), AttnDecoderRNN().to(device)
    params = list(encoder.parameters()) + list(decoder.parameters())
    optimizer = torch.optim.Adam(params, lr=3e-3)
    criterion = nn.CrossEntropyLoss(ignore_index=PAD)

    print_loss_total = 0
    for it, (src, tgt) in enumerate(curriculum(100), start=1):
        optimizer.zero_grad()
        enc_out, enc_hidden = encoder(src)
        logits = decoder(enc_out, enc_hidden, src == PAD, tgt)
        loss = criterion(logits.reshape(-1, VOCAB), tgt.reshape(-1))
        loss.backward()
        nn.utils.clip_grad_norm_(params, 1.0)
        optimizer.step()

        print_loss_total += loss.item()
        if it % 5 == 0:
            print("(%d %d%%) %.4f" % (it, it, print_loss_total / 5))
            print_loss_total = 0


if __name__ == "__main__":
    main()

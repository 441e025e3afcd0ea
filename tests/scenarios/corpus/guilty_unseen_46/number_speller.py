# gradwatch-corpus: kind=graph-held
# holder: all_attentions | attentions
# first-bad: 1
# Seq2seq with (Bahdanau) attention: "407" -> "four zero seven".
# Adapted from "NLP From Scratch: Translation with a Sequence to Sequence Network".
import random

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import optim

random.seed(1)
torch.manual_seed(1)

SOS_token, EOS_token = 0, 1
WORDS = ["SOS", "EOS", "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
MAX_LENGTH = 7
hidden_size = 32
teacher_forcing_ratio = 0.5
n_iters = 90
plot_every = 15


def random_pair():
    digits = [random.randint(0, 9) for _ in range(random.randint(2, MAX_LENGTH - 2))]
    src = torch.tensor([d + 2 for d in digits] + [EOS_token])
    tgt = torch.tensor([d + 2 for d in digits] + [EOS_token])
    return src, tgt


class EncoderRNN(nn.Module):
    def __init__(self, input_size, hidden_size):
        super().__init__()
        self.embedding = nn.Embedding(input_size, hidden_size)
        self.gru = nn.GRU(hidden_size, hidden_size, batch_first=True)

    def forward(self, seq):
        return self.gru(self.embedding(seq).unsqueeze(0))


class AttnDecoderRNN(nn.Module):
    def __init__(self, hidden_size, output_size):
        super().__init__()
        self.embedding = nn.Embedding(output_size, hidden_size)
        self.Wa = nn.Linear(hidden_size, hidden_size)
        self.Ua = nn.Linear(hidden_size, hidden_size)
        self.Va = nn.Linear(hidden_size, 1)
        self.gru = nn.GRU(2 * hidden_size, hidden_size, batch_first=True)
        self.out = nn.Linear(hidden_size, output_size)

    def forward(self, token, hidden, encoder_outputs):
        embedded = self.embedding(token).view(1, 1, -1)
        scores = self.Va(torch.tanh(self.Wa(hidden.permute(1, 0, 2)) + self.Ua(encoder_outputs)))
        attn_weights = F.softmax(scores.transpose(1, 2), dim=-1)
        context = torch.bmm(attn_weights, encoder_outputs)
        output, hidden = self.gru(torch.cat((embedded, context), dim=2), hidden)
        return F.log_softmax(self.out(output[0]), dim=1), hidden, attn_weights.view(-1)


def train(src, tgt, encoder, decoder, encoder_optimizer, criterion):
    encoder_outputs, hidden = encoder(src)
    attentions = torch.zeros(len(tgt), MAX_LENGTH)
    token = torch.tensor(SOS_token)
    use_teacher = random.random() < teacher_forcing_ratio
    loss = 0
    for di in range(len(tgt)):
        output, hidden, attn = decoder(token, hidden, encoder_outputs)
        attentions[di, :len(attn)] = attn  # <- culprit
        loss += criterion(output, tgt[di].view(1))
        token = tgt[di] if use_teacher else output.argmax(1).squeeze().detach()
    encoder_optimizer.zero_grad()
    loss.backward()
    encoder_optimizer.step()
    return loss.item() / len(tgt), attentions  # <- culprit


def show_attention(matrix):
    for row in matrix:
        print("    " + " ".join("%3d" % int(100 * v) for v in row))


encoder = EncoderRNN(len(WORDS), hidden_size)
decoder = AttnDecoderRNN(hidden_size, len(WORDS))
optimizer = optim.Adam(list(encoder.parameters()) + list(decoder.parameters()), lr=5e-3)
criterion = nn.NLLLoss()

all_attentions = []
plot_loss_total = 0
for it in range(1, n_iters + 1):
    src, tgt = random_pair()
    loss, attn_map = train(src, tgt, encoder, decoder, optimizer, criterion)
    plot_loss_total += loss
    all_attentions.append((it, attn_map))  # <- culprit
    if it % plot_every == 0:
        print("%d/%d  loss %.4f" % (it, n_iters, plot_loss_total / plot_every))
        plot_loss_total = 0

print("attention of the first and of the last example")
for which in (0, -1):
    print("  iteration", all_attentions[which][0])
    show_attention(all_attentions[which][1])

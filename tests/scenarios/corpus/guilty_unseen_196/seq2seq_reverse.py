# gradwatch-corpus: kind=retain-needless
# first-bad: 0
"""Seq2seq with GRU encoder/decoder: learn to reverse digit strings."""
import random

import torch
import torch.nn as nn
from torch import optim

random.seed(2)
torch.manual_seed(2)

SOS_token = 10
VOCAB = 11
MAX_LENGTH = 6
hidden_size = 48
teacher_forcing_ratio = 0.5


class EncoderRNN(nn.Module):
    def __init__(self, input_size, hidden_size):
        super(EncoderRNN, self).__init__()
        self.embedding = nn.Embedding(input_size, hidden_size)
        self.gru = nn.GRU(hidden_size, hidden_size, batch_first=True)

    def forward(self, input):
        return self.gru(self.embedding(input))


class DecoderRNN(nn.Module):
    def __init__(self, hidden_size, output_size):
        super(DecoderRNN, self).__init__()
        self.embedding = nn.Embedding(output_size, hidden_size)
        self.gru = nn.GRU(hidden_size, hidden_size, batch_first=True)
        self.out = nn.Linear(hidden_size, output_size)

    def forward(self, input, hidden):
        output, hidden = self.gru(torch.relu(self.embedding(input)), hidden)
        return self.out(output.squeeze(1)), hidden


def train(input_tensor, target_tensor, encoder, decoder, encoder_optimizer, decoder_optimizer, criterion):
    encoder_optimizer.zero_grad()
    decoder_optimizer.zero_grad()
    loss = 0

    _, encoder_hidden = encoder(input_tensor)
    decoder_input = torch.full((input_tensor.size(0), 1), SOS_token, dtype=torch.long)
    decoder_hidden = encoder_hidden
    use_teacher_forcing = random.random() < teacher_forcing_ratio

    for di in range(target_tensor.size(1)):
        decoder_output, decoder_hidden = decoder(decoder_input, decoder_hidden)
        loss += criterion(decoder_output, target_tensor[:, di])
        if use_teacher_forcing:
            decoder_input = target_tensor[:, di:di + 1]
        else:
            decoder_input = decoder_output.argmax(1, keepdim=True).detach()

    loss.backward(retain_graph=True)  # <- culprit
    encoder_optimizer.step()
    decoder_optimizer.step()
    return loss.item() / target_tensor.size(1)


def trainIters(encoder, decoder, n_iters, print_every=50, learning_rate=3e-3):
    print_loss_total = 0
    encoder_optimizer = optim.Adam(encoder.parameters(), lr=learning_rate)
    decoder_optimizer = optim.Adam(decoder.parameters(), lr=learning_rate)
    criterion = nn.CrossEntropyLoss()
    for it in range(1, n_iters + 1):
        src = torch.randint(0, 10, (16, MAX_LENGTH))
        tgt = src.flip(1)
        print_loss_total += train(src, tgt, encoder, decoder,
                                  encoder_optimizer, decoder_optimizer, criterion)
        if it % print_every == 0:
            print("(%d %d%%) %.4f" % (it, it / n_iters * 100, print_loss_total / print_every))
            print_loss_total = 0


encoder1 = EncoderRNN(VOCAB, hidden_size)
decoder1 = DecoderRNN(hidden_size, VOCAB)
trainIters(encoder1, decoder1, 450)

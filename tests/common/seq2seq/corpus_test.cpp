#include "seq2seq/corpus.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <fstream>
#include <stdexcept>
#include <zlib.h>

using namespace seq2seq;
namespace fs = std::filesystem;

namespace {

// A folder with corpora in it; files are named without it in error texts compared.
struct Corpora : support::TemporaryFolder {
    fs::path write(const std::string& name, const std::string& bytes) const {
        std::ofstream(path() / name, std::ios::binary) << bytes;
        return path() / name;
    }
    fs::path write_gz(const std::string& name, const std::string& bytes) const {
        gzFile file = gzopen((path() / name).c_str(), "wb");
        gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
        gzclose(file);
        return path() / name;
    }
    std::string error(const std::vector<fs::path>& files,
                      std::size_t longest = longest_sentence) const {
        try {
            read_parallel(files, Tokenization::none, longest);
        } catch (const std::invalid_argument& e) {
            std::string text = e.what();
            const std::string prefix = path().string() + "/";
            for (auto at = text.find(prefix); at != std::string::npos; at = text.find(prefix)) {
                text.erase(at, prefix.size());
            }
            return text;
        }
        return "no error";
    }
};

} // namespace

TEST_CASE("read_parallel: two files, one of them packed, with line ends of any kind") {
    const Corpora folder;
    const auto pairs = read_parallel({folder.write("a", "\xEF\xBB\xBFune  fleur\r\nété\r\n"),
                                      folder.write_gz("b.gz", "a flower\nsummer")},
                                     Tokenization::none);
    REQUIRE(pairs.size() == 2);
    CHECK(join(pairs[0].source) == "une fleur");
    CHECK(join(pairs[1].source) == "été");
    CHECK(join(pairs[0].target) == "a flower");
    CHECK(join(pairs[1].target) == "summer");
}

TEST_CASE("read_parallel: one file of two columns, and raw text cut as 13a does") {
    const Corpora folder;
    const auto pairs = read_parallel({folder.write("x.tsv", "Oui, monsieur.\tYes, sir.\n")},
                                     Tokenization::mteval_13a);
    REQUIRE(pairs.size() == 1);
    CHECK(join(pairs[0].source) == "Oui , monsieur .");
    CHECK(join(pairs[0].target) == "Yes , sir .");
}

TEST_CASE("read_parallel: a mistake in the files is reported in one line") {
    const Corpora folder;
    const fs::path good = folder.write("good", "a b\nc\n");
    CHECK(folder.error({good, folder.write("short", "x\n")}) ==
          "good and short must have as many lines, got 2 and 1");
    CHECK(folder.error({good, folder.write("latin1", "x\ncaf\xE9\n")}) ==
          "latin1: line 2: not UTF-8, got byte 0xe9; convert the file with iconv");
    CHECK(folder.error({folder.write("gap", "a\n \n"), good}) ==
          "gap: line 2: the sentence is empty; remove the pair");
    CHECK(folder.error({good, folder / "none"}) ==
          "none: cannot be read: No such file or directory");
    CHECK(folder.error({good, folder.path()}).find("cannot be read: it is a folder") !=
          std::string::npos);
    CHECK(folder.error({good, folder.write("empty", "")}) == "empty: has no lines");
    CHECK(folder.error({folder.write("one.tsv", "a\tb\nc d\n")}) ==
          "one.tsv: line 2: must be source, tab, target, got no tab");
    CHECK(folder.error({folder.write("three.tsv", "a\tb\tc\n")}) ==
          "three.tsv: line 1: must be source, tab, target, got more than one tab");
    CHECK(folder.error({folder.write("half.tsv", "a\t\n")}) ==
          "half.tsv: line 1: the target is empty; remove the pair");
    CHECK(folder.error({good, folder.write("twice", "a\r\r\nb c\r\r\n")}) == "no error");
    CHECK(folder.error({good, folder.write("long", "x\n1 2 3\n")}, 2) ==
          "long: line 2: the sentence has 3 words, more than 2; remove the pair");
    CHECK(folder.error({good, good}, 2) == "no error");
    std::string text;
    for (int i = 0; i < 20000; ++i) {
        text += std::to_string(i * 7919 % 10007) + "\n";
    }
    const fs::path packed = folder.write_gz("cut.gz", text);
    fs::resize_file(packed, fs::file_size(packed) / 2);
    CHECK(folder.error({packed, good}) ==
          "cut.gz: cannot be unpacked: the file is damaged or cut off");
}

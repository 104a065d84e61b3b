/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_describe.c - a file that describes a machine, for reading its traces */
#include <ktrail/rec.h>

#include <string.h>

#include <ktrail/file.h>
#include <ktrail/tracefs.h>

#include "kt_test.h"

static void fake(void)
{
	kt_tracefs_set_dir(kt_fake_tracefs());
	kt_fake_set("events/header_page", "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n");
	kt_spill(kt_tmp("btf"), "types", 5);
}

/* The types in a file that describes the fake kernel; "" if there are none */
static const char *types(const char *compression)
{
	const char *path = kt_tmp("described.dat");
	struct kt_rec_opts o = {
		.compression = compression, .kallsyms = KT_REC_KALLSYMS_NONE,
		.btf_path = kt_tmp("btf"),
	};
	struct kt_err err = { 0 };
	static char text[16];
	struct kt_blob blob;
	struct kt_file *f;

	kt_rec_describe(path, &o, &err);
	CHECK_NO_ERR(&err);
	f = kt_file_open(path, &err);
	CHECK_NO_ERR(&err);
	*text = '\0';
	if (kt_file_meta(f, KT_META_BTF, &blob, NULL) == 0) {
		assert_true(blob.size < sizeof(text));
		memcpy(text, blob.data, blob.size);
		text[blob.size] = '\0';
	}
	kt_file_close(f);
	return text;
}

TEST(types_are_stored_with_arguments_of_functions)
{
	fake();
	assert_string_equal(types("zstd"), "");
	kt_fake_set("options/func-args", "1\n");
	assert_string_equal(types("zstd"), "types");
	assert_string_equal(types("none"), "");
	kt_fake_set("options/func-args", "0\n");
	assert_string_equal(types("zlib"), "");
	kt_fake_set("options/funcgraph-args", "1\n");
	assert_string_equal(types("zlib"), "types");
}

int main(void)
{
	return RUN(unit(types_are_stored_with_arguments_of_functions));
}

/* The language: how it is chosen, and that texts are found in the catalogue. */
#include "language/language.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void translates_into_chinese(void **state)
{
    (void)state;
    assert_true(language_choose("zh"));
    assert_string_equal(language_name(), "zh");
    assert_string_equal(translate("Barrier"), "屏障");
    assert_string_equal(translate("writes"), "写入");
    assert_string_equal(translate("no such text"), "no such text");
    assert_string_equal(translate(""), "");
}

static void english_needs_no_catalogue(void **state)
{
    (void)state;
    assert_true(language_choose("en"));
    assert_string_equal(translate("Barrier"), "Barrier");
}

static void unknown_languages_change_nothing(void **state)
{
    (void)state;
    assert_true(language_choose("zh"));
    assert_false(language_choose("xx"));
    assert_string_equal(language_name(), "zh");
}

static void follows_the_environment(void **state)
{
    (void)state;
    (void)setenv("LANG", "zh_CN.UTF-8", 1);
    (void)unsetenv("LC_MESSAGES");
    (void)unsetenv("LC_ALL");
    assert_true(language_choose(NULL));
    assert_string_equal(language_name(), "zh");
    (void)setenv("LC_ALL", "C", 1);
    assert_true(language_choose(NULL));
    assert_string_equal(language_name(), "en");
    (void)setenv("LC_ALL", "", 1);
    (void)setenv("LC_MESSAGES", "fr_FR", 1);
    assert_true(language_choose(NULL));
    assert_string_equal(language_name(), "en");
}

static void lists_its_translations(void **state)
{
    (void)state;
    assert_string_equal(language_translated(0), "zh");
    assert_null(language_translated(1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(translates_into_chinese), cmocka_unit_test(english_needs_no_catalogue),
        cmocka_unit_test(unknown_languages_change_nothing),
        cmocka_unit_test(follows_the_environment), cmocka_unit_test(lists_its_translations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
